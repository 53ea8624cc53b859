/**
 * A game on the server, and the outbox of moves on their way to it. Each move is stored in the browser before it is
 * sent, with its idempotency key, until the server has answered: through a lost connection, another page, a reload.
 * Sent again with its key, it is played once. If the game has continued otherwise meanwhile, it is not played, and the
 * game page shows that.
 */
import { PrivateStorage } from '../browser/privateStorage'
import { analysis } from './analysis'
import { keepOnlyInBackground, sendInBackground, stopSendingInBackground } from './backgroundMoves'
import { Backoff } from './backoff'
import { api, ApiError, isTemporary, newKey } from './client'
import { isOffline, onReconnect } from './connection.svelte'
import { cachedGame, cacheGame, uncacheGame } from './gameCache'
import type { GameListener, GameOutbox, GameSource, Links, PendingMove, PlayerActions, Reviews } from './gameSource'
import { LiveConnection } from './live'
import type { Colour, Explanation, Game, Hint, LiveMessage, NewGame, PositionView, You } from './model'

/** The server does not have such a game, or no longer. */
const UNKNOWN_GAME = 'unknown_game'

/** A game on the server. */
export class ServerGame implements GameSource {
  readonly links: Links
  readonly people: PlayerActions
  readonly reviews: Reviews
  readonly outbox: GameOutbox

  constructor(
    readonly game: Game,
    readonly you: You | null = null,
    readonly cachedAt: number | null = null,
  ) {
    const { id } = game
    this.links = {
      page: `/game/${id}`,
      shared: true,
      analysis: `/analysis?game=${id}`,
      review: `/game/${id}/review`,
      record: (format) => api.recordUrl(id, format),
      picture: (form, ply, theme) => api.pictureUrl(id, form, ply, theme),
      animation: (ply, theme) => api.animationUrl(id, ply, theme),
    }
    this.reviews = {
      load: () => analysis.loadReview(id),
      save: (nodes, review) => analysis.saveReview(id, nodes, review),
    }
    this.outbox = {
      pending: () => pendingMove(id),
      resume: (onWait) => resumeMove(id, onWait),
      withdraw: () => withdrawMove(id),
      forgetRefused: () => forgetRefused(id),
    }
    this.people = {
      offer: (kind) => api.offer(id, kind),
      accept: (kind) => api.accept(id, kind),
      refuse: () => api.refuse(id),
      resume: () => api.resume(id),
      abort: () => api.abort(id),
      greet: (greeting) => api.greet(id, greeting),
    }
  }

  /** Load a game; `isOnline` where people play each other. If the server cannot be reached, the last snapshot. */
  static async open(id: string, isOnline: boolean): Promise<ServerGame> {
    try {
      const [game, you] = await Promise.all([api.game(id), isOnline ? api.you(id) : null])
      cacheGame(game, you)
      return new ServerGame(game, you)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === UNKNOWN_GAME) uncacheGame(id)
      const cached = isTemporary(error) ? cachedGame(id) : null
      if (!cached) throw error
      return new ServerGame(cached.game, cached.you, cached.at)
    }
  }

  position = (ply: number): Promise<PositionView> => api.position(this.game.id, ply)
  explain = (text: string, ply: number): Promise<Explanation> => api.explain(this.game.id, text, ply)
  explainTap = (text: string, ply: number): Promise<Explanation> => api.explainTap(this.game.id, text, ply)
  play = (text: string, _ply: number, before: readonly string[], onWait: () => void): Promise<Game> =>
    sendMove(this.game.id, text, before, onWait)
  undo = (ply: number): Promise<Game> => api.undo(this.game.id, ply)
  redo = (ply: number): Promise<Game> => api.redo(this.game.id, ply)
  resign = (colour: Colour): Promise<Game> => api.resign(this.game.id, colour)
  draw = (): Promise<Game> => api.draw(this.game.id)
  hint = (signal: AbortSignal): Promise<Hint> => api.hint(this.game.id, signal)
  begin = async (options: Partial<NewGame>): Promise<string> => `/game/${(await api.create(options)).id}`

  listen(revision: () => number, listener: GameListener): () => void {
    const live = new LiveConnection<LiveMessage>(
      () => `/games/${encodeURIComponent(this.game.id)}/live?seen=${revision()}`,
      {
        ...listener,
        gone: () => listener.message({ type: 'gone', reason: 'deleted' }),
      },
    )
    return () => live.close()
  }
}

// ------------------------------------------------------------------ the outbox

/** The game has continued otherwise; or the player has withdrawn the move before it was sent. */
export const OVERTAKEN = 'overtaken'
export const WITHDRAWN = 'withdrawn'

const isTextArray = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

const storage = new PrivateStorage<PendingMove>(
  'move',
  ({ text, ply, before, key, refused }) =>
    typeof text === 'string' &&
    Number.isSafeInteger(ply) &&
    isTextArray(before) &&
    typeof key === 'string' &&
    (refused === null || typeof refused === 'string'),
  100_000,
)

interface Delivery {
  readonly move: PendingMove
  /** Whether it waits for the connection. */
  isWaiting: boolean
  readonly waitListeners: Set<() => void>
  /** Ends the wait. */
  wake: () => void
}

const deliveries = new Map<string, Delivery & { readonly response: Promise<Game> }>()

/** Store a move and send it; `onWait` is called whenever it has to wait for the connection. */
export function sendMove(game: string, text: string, before: readonly string[], onWait: () => void): Promise<Game> {
  const move = { text, ply: before.length, before, key: newKey(), at: Date.now(), refused: null }
  storage.write(game, move)
  return deliver(game, move, onWait, true)
}

/** The stored move of a game, if there is one. */
export function pendingMove(game: string): PendingMove | null {
  return storage.read(game)
}

/** Go on sending the stored move of a game; null if there is none. */
export function resumeMove(game: string, onWait: () => void): Promise<Game> | null {
  const move = storage.read(game)
  return move && move.refused === null ? deliver(game, move, onWait, false) : null
}

/** Stop sending a move. If it has reached the server, it is played all the same. */
export function withdrawMove(game: string): void {
  removeMove(game)
  deliveries.get(game)?.wake()
}

/** Remove a refused move whose refusal has been shown. */
export function forgetRefused(game: string): void {
  if (storage.read(game)?.refused) removeMove(game)
}

function removeMove(game: string): void {
  storage.remove(game)
  void stopSendingInBackground(game)
}

/** Send all stored moves, now and whenever the server comes back; called once by the page. */
export function keepSending(): () => void {
  const sendAll = (): void => {
    for (const game of storage.ids()) resumeMove(game, () => undefined)?.catch(() => undefined)
  }
  void keepOnlyInBackground(storage.ids())
  sendAll()
  return onReconnect(sendAll)
}

function deliver(game: string, move: PendingMove, onWait: () => void, isFirst: boolean): Promise<Game> {
  const current = deliveries.get(game)
  if (current && current.move.key === move.key) {
    current.waitListeners.add(onWait)
    if (current.isWaiting) onWait()
    return current.response
  }
  const delivery: Delivery = {
    move,
    isWaiting: false,
    waitListeners: new Set([onWait]),
    wake: () => undefined,
  }
  const response = runDelivery(game, delivery, isFirst)
  const entry = Object.assign(delivery, { response })
  deliveries.set(game, entry)
  const remove = (): void => {
    if (deliveries.get(game) === entry) deliveries.delete(game)
  }
  response.then(remove, remove)
  return response
}

async function runDelivery(game: string, delivery: Delivery, isFirst: boolean): Promise<Game> {
  const { move } = delivery
  const backoff = new Backoff(1000, 30_000)
  for (let isRetry = !isFirst; ; isRetry = true) {
    try {
      const result =
        (isRetry ? await findPlayed(game, move) : null) ?? (await api.play(game, move.text, move.ply, move.key))
      if (isStored(game, move)) removeMove(game)
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!isTemporary(error)) {
        if (isStored(game, move)) {
          storage.write(game, { ...move, refused: error.code })
          void stopSendingInBackground(game)
        }
        throw error
      }
    }
    delivery.isWaiting = true
    if (isStored(game, move)) void sendInBackground(game, move)
    for (const onWait of delivery.waitListeners) onWait()
    await waitForRetry(delivery, backoff)
    delivery.isWaiting = false
  }
}

const isStored = (game: string, move: PendingMove): boolean => storage.read(game)?.key === move.key

/** The game if the move was already played in it; null if it may still be played. */
async function findPlayed(id: string, move: PendingMove): Promise<Game | null> {
  if (!isStored(id, move) && isOffline()) throw new ApiError(0, WITHDRAWN, 'The move was withdrawn.')
  const game = await api.game(id)
  const isSameGame = move.before.every((text, ply) => game.turns[ply]?.text === text)
  if (isSameGame && game.turns[move.ply]?.text === move.text) return game
  // Withdrawn here or in another tab; or another person has logged in.
  if (!isStored(id, move)) throw new ApiError(0, WITHDRAWN, 'The move was withdrawn.')
  // At another ply the server itself refuses the move.
  if (!isSameGame && game.ply === move.ply)
    throw new ApiError(409, OVERTAKEN, 'The game has gone another way.', { game })
  return null
}

/** Wait until the server is back, or with backoff if it answers but cannot do it; or until `delivery.wake`. */
function waitForRetry(delivery: Delivery, backoff: Backoff): Promise<void> {
  return new Promise((resolve) => {
    const timer = isOffline() ? undefined : setTimeout(() => wake(), backoff.next())
    const unsubscribe = onReconnect(() => wake())
    const wake = (): void => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    delivery.wake = wake
  })
}
