/**
 * Moves on their way to the server. Each is kept in the browser before it is sent, under the key it is sent with, until
 * the server has answered: through a lost connection, another page, a reload. Sent again with its key, it is played
 * once. If the game has gone another way meanwhile, it is not played, and whoever looks at the game is told.
 */
import { PrivateStorage } from '../browser/privateStorage'
import { Backoff } from './backoff'
import { api, ApiError, isTemporary, newKey } from './client'
import { isOffline, onReconnect } from './connection.svelte'
import type { Game } from './model'

/** A move, and the game it was meant for. */
export interface PendingMove {
  readonly text: string
  readonly ply: number
  /** The moves before it. */
  readonly before: readonly string[]
  readonly key: string
  readonly at: number
  /** Why the server did not take it, if nobody was there to be told. */
  readonly refused: string | null
}

/** The game has gone another way; or the player has taken the move back before it was sent. */
export const OVERTAKEN = 'overtaken'
export const WITHDRAWN = 'withdrawn'

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

const notes = new PrivateStorage<PendingMove>(
  'move',
  ({ text, ply, before, key, refused }) =>
    typeof text === 'string' &&
    Number.isSafeInteger(ply) &&
    areTexts(before) &&
    typeof key === 'string' &&
    (refused === null || typeof refused === 'string'),
  100_000,
)

interface Delivery {
  readonly move: PendingMove
  /** Whether it waits for the connection. */
  waiting: boolean
  readonly waits: Set<() => void>
  /** Wakes it where it waits. */
  wake: () => void
}

const deliveries = new Map<string, Delivery & { readonly answer: Promise<Game> }>()

/** Play a move in a game; `waits` is called whenever it has to wait for the connection. */
export function sendMove(game: string, text: string, before: readonly string[], waits: () => void): Promise<Game> {
  const move = { text, ply: before.length, before, key: newKey(), at: Date.now(), refused: null }
  notes.write(game, move)
  return deliver(game, move, waits, true)
}

/** The move that is kept for a game, if there is one. */
export function pendingMove(game: string): PendingMove | null {
  return notes.read(game)
}

/** Go on sending what is kept for a game; null if nothing is. */
export function resumeMove(game: string, waits: () => void): Promise<Game> | null {
  const move = notes.read(game)
  return move && move.refused === null ? deliver(game, move, waits, false) : null
}

/** Send a move no more. If it had reached the server, it was played all the same. */
export function withdrawMove(game: string): void {
  notes.forget(game)
  deliveries.get(game)?.wake()
}

/** What was refused has been said. */
export function forgetRefused(game: string): void {
  if (notes.read(game)?.refused) notes.forget(game)
}

/** Send all that is kept, now and whenever the server is back; called once by the page. */
export function keepSending(): () => void {
  const sendAll = (): void => {
    for (const game of notes.ids()) resumeMove(game, () => undefined)?.catch(() => undefined)
  }
  sendAll()
  return onReconnect(sendAll)
}

function deliver(game: string, move: PendingMove, waits: () => void, first: boolean): Promise<Game> {
  const known = deliveries.get(game)
  if (known && known.move.key === move.key) {
    known.waits.add(waits)
    if (known.waiting) waits()
    return known.answer
  }
  const delivery: Delivery = {
    move,
    waiting: false,
    waits: new Set([waits]),
    wake: () => undefined,
  }
  const answer = delivered(game, delivery, first)
  const noted = Object.assign(delivery, { answer })
  deliveries.set(game, noted)
  const done = (): void => {
    if (deliveries.get(game) === noted) deliveries.delete(game)
  }
  answer.then(done, done)
  return answer
}

async function delivered(game: string, delivery: Delivery, first: boolean): Promise<Game> {
  const { move } = delivery
  const backoff = new Backoff(1000, 30_000)
  for (let again = !first; ; again = true) {
    try {
      const played =
        (again ? await playedAlready(game, move) : null) ?? (await api.play(game, move.text, move.ply, move.key))
      if (isKept(game, move)) notes.forget(game)
      return played
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!isTemporary(error)) {
        if (isKept(game, move)) notes.write(game, { ...move, refused: error.code })
        throw error
      }
    }
    delivery.waiting = true
    for (const waits of delivery.waits) waits()
    await woken(delivery, backoff)
    delivery.waiting = false
  }
}

const isKept = (game: string, move: PendingMove): boolean => notes.read(game)?.key === move.key

/** How the game stands if the move was played in it; null if it may still be. */
async function playedAlready(id: string, move: PendingMove): Promise<Game | null> {
  if (!isKept(id, move) && isOffline()) throw new ApiError(0, WITHDRAWN, 'The move was withdrawn.')
  const game = await api.game(id)
  const same = move.before.every((text, ply) => game.turns[ply]?.text === text)
  if (same && game.turns[move.ply]?.text === move.text) return game
  // Withdrawn here, or in another tab; or another person is here now.
  if (!isKept(id, move)) throw new ApiError(0, WITHDRAWN, 'The move was withdrawn.')
  // At another ply the server itself would see it.
  if (!same && game.ply === move.ply) throw new ApiError(409, OVERTAKEN, 'The game has gone another way.', { game })
  return null
}

/** Wait until the server is back, or for a while if it answers but cannot do it; or until something else wakes us. */
function woken(delivery: Delivery, backoff: Backoff): Promise<void> {
  return new Promise((resolve) => {
    const timer = isOffline() ? undefined : setTimeout(() => wake(), backoff.next())
    const stop = onReconnect(() => wake())
    const wake = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    delivery.wake = wake
  })
}
