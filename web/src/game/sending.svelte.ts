/**
 * The move of a game that is on its way: while there is no connection it waits, over a reload too, and that is said;
 * and so is what became of it in the end.
 */
import { readTurn } from '../board/model/turns'
import type { TurnEntry } from '../board/view/entry.svelte'
import { t } from '../i18n/index.svelte'
import { ApiError } from '../net/client'
import type { Game } from '../net/model'
import { OVERTAKEN, WITHDRAWN } from '../net/outbox'
import type { GameSource } from '../net/source'
import { errorWords } from '../parts/errors'

/** The game at this screen, as far as sending needs it. */
export interface Table {
  readonly game: Game
  readonly source: GameSource
  readonly turn: TurnEntry
  say(text: string, tone?: 'plain' | 'refusal'): void
  hush(): void
  /** Wait for an answer, and take it in; `failed` says why there is none. */
  ask(wish: () => Promise<Game>, failed: (error: unknown) => void): Promise<boolean>
  /** A move was answered: what follows from it waits no longer. */
  arrived(): void
  /** How the game stands, if a refusal tells. */
  takeFrom(error: unknown): void
}

export class Sending {
  /** The move that waits for the connection. */
  waiting: string | null = $state(null)
  #closed = false

  constructor(readonly table: Table) {}

  close(): void {
    this.#closed = true
  }

  /** Play a move; returns whether it was played, however long that took. */
  play(text: string): Promise<boolean> {
    const { game, source } = this.table
    const before = game.turns.map((turn) => turn.text)
    return this.#deliver(
      text,
      source.play(text, game.ply, before, () => this.#waits(text)),
    )
  }

  /** Send the move that waits no more. */
  withdraw(): void {
    this.table.source.outbox?.withdraw()
  }

  /** What was confirmed before the page was opened again goes on being sent; or it is said that it was not played. */
  async resume(): Promise<void> {
    const { outbox } = this.table.source
    const kept = outbox?.kept()
    if (!outbox || !kept) return
    if (kept.refused !== null) return this.#notPlayed(kept.text, new ApiError(409, kept.refused, ''), true)
    const played = readTurn(kept.text, this.table.game.view)
    if (played && kept.ply === this.table.game.ply) {
      this.table.turn.act({ do: 'suggest', ...played })
      this.table.turn.act({ do: 'send' })
    }
    const sent = outbox.resume(() => this.#waits(kept.text))
    if (sent) await this.#deliver(kept.text, sent, true)
  }

  /** `resumed` if it was confirmed before the page was opened: it has waited, be it on its way at this very moment. */
  async #deliver(text: string, sent: Promise<Game>, resumed = false): Promise<boolean> {
    const played = await this.table.ask(
      () => sent,
      (error) => this.#notPlayed(text, error, resumed || this.waiting !== null),
    )
    const waited = this.waiting !== null
    this.waiting = null
    this.table.arrived()
    this.table.turn.act({ do: 'answered' })
    if (played && waited && !this.#closed) this.table.say(t('notice.sent_now', { move: text }))
    return played
  }

  #waits(text: string): void {
    if (this.#closed || this.waiting !== null) return
    this.waiting = text
    this.table.say(t('notice.waiting', { move: text }))
    this.table.hush()
  }

  /** Say why a move was not played: if it had to wait, what happened meanwhile. Whoever left is told the next time. */
  #notPlayed(text: string, error: unknown, waited: boolean): void {
    if (!(error instanceof ApiError)) throw error
    if (this.#closed) return
    this.table.source.outbox?.forget()
    this.table.arrived()
    this.table.takeFrom(error)
    if (error.code === WITHDRAWN) return this.table.say(t('notice.withdrawn'))
    const overtaken = error.code === OVERTAKEN || (waited && error.code === 'wrong_ply')
    const why = overtaken
      ? t('notice.overtaken', { move: text })
      : waited
        ? t('notice.not_played', { move: text, reason: errorWords(error) })
        : errorWords(error)
    this.table.say(why, 'refusal')
  }
}
