/**
 * Sends a move and reports its result. Without a connection the move waits, even over a reload, and the player is told
 * so.
 */
import { ApiError } from '../../api/client'
import type { GameSource } from '../../api/gameSource'
import type { Game } from '../../api/model'
import { OVERTAKEN, WITHDRAWN } from '../../api/outbox'
import { readMove } from '../../board/model/moves'
import type { MoveEntry } from '../../board/view/entry.svelte'
import { t } from '../../i18n/index.svelte'
import { errorWords } from '../../ui/errors'

/** The game on this screen, as far as sending needs it. */
export interface SenderContext {
  readonly game: Game
  readonly source: GameSource
  readonly turn: MoveEntry
  say(text: string, tone?: 'plain' | 'refusal'): void
  hush(): void
  readonly requests: {
    /** Sends a request and takes in the game that answers it. */
    ask(request: () => Promise<Game>, onError: (error: unknown) => void): Promise<boolean>
  }
  readonly updates: {
    /** Takes in the game that a refusal carries. */
    takeFrom(error: unknown): void
    readonly replyDelay: { sent(): void }
  }
}

export class MoveSender {
  /** The move that waits for the connection. */
  waiting: string | null = $state(null)
  #closed = false

  constructor(readonly context: SenderContext) {}

  close(): void {
    this.#closed = true
  }

  /** Send a move; returns whether it was played, however long that took. */
  play(text: string): Promise<boolean> {
    const { game, source } = this.context
    const before = game.turns.map((turn) => turn.text)
    return this.#deliver(
      text,
      source.play(text, game.ply, before, () => this.#waits(text)),
    )
  }

  /** Withdraw the move that waits. */
  withdraw(): void {
    this.context.source.outbox?.withdraw()
  }

  /** Go on sending a move that was confirmed before a reload; or say that it was not played. */
  async resume(): Promise<void> {
    const { outbox } = this.context.source
    const stored = outbox?.pending()
    if (!outbox || !stored) return
    if (stored.refused !== null) return this.#notPlayed(stored.text, new ApiError(409, stored.refused, ''), true)
    const played = readMove(stored.text, this.context.game.view)
    if (played && stored.ply === this.context.game.ply) {
      this.context.turn.act({ do: 'suggest', ...played })
      this.context.turn.act({ do: 'send' })
    }
    const sent = outbox.resume(() => this.#waits(stored.text))
    if (sent) await this.#deliver(stored.text, sent, true)
  }

  /** `resumed` if the move was confirmed before a reload: it counts as one that had to wait. */
  async #deliver(text: string, sent: Promise<Game>, resumed = false): Promise<boolean> {
    const played = await this.context.requests.ask(
      () => sent,
      (error) => this.#notPlayed(text, error, resumed || this.waiting !== null),
    )
    const waited = this.waiting !== null
    this.waiting = null
    this.context.updates.replyDelay.sent()
    this.context.turn.act({ do: 'answered' })
    if (played && waited && !this.#closed) this.context.say(t('notice.sent_now', { move: text }))
    return played
  }

  #waits(text: string): void {
    if (this.#closed || this.waiting !== null) return
    this.waiting = text
    this.context.say(t('notice.waiting', { move: text }))
    this.context.hush()
  }

  /** Say why a move was not played, and if it waited, what happened meanwhile; after a close, at the next opening. */
  #notPlayed(text: string, error: unknown, waited: boolean): void {
    if (!(error instanceof ApiError)) throw error
    if (this.#closed) return
    this.context.source.outbox?.forgetRefused()
    this.context.updates.replyDelay.sent()
    this.context.updates.takeFrom(error)
    if (error.code === WITHDRAWN) return this.context.say(t('notice.withdrawn'))
    const overtaken = error.code === OVERTAKEN || (waited && error.code === 'wrong_ply')
    const why = overtaken
      ? t('notice.overtaken', { move: text })
      : waited
        ? t('notice.not_played', { move: text, reason: errorWords(error) })
        : errorWords(error)
    this.context.say(why, 'refusal')
  }
}
