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
  readonly moveEntry: MoveEntry
  say(text: string, tone?: 'plain' | 'refusal'): void
  clearMessage(): void
  readonly requests: {
    /** Sends a request and applies the game that answers it. */
    send(request: () => Promise<Game>, onError: (error: unknown) => void): Promise<boolean>
  }
  readonly updates: {
    /** Applies the game that an error carries. */
    applyFromError(error: unknown): void
    readonly replyDelay: { endSending(): void }
  }
}

export class MoveSender {
  /** The move that waits for the connection. */
  waitingMove: string | null = $state(null)
  #isClosed = false

  constructor(readonly context: SenderContext) {}

  close(): void {
    this.#isClosed = true
  }

  /** Send a move; returns whether it was played, however long that took. */
  play(text: string): Promise<boolean> {
    const { game, source } = this.context
    const previousMoves = game.turns.map((move) => move.text)
    return this.#deliver(
      text,
      source.play(text, game.ply, previousMoves, () => this.#onWait(text)),
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
    if (stored.refused !== null) return this.#reportFailure(stored.text, new ApiError(409, stored.refused, ''), true)
    const move = readMove(stored.text, this.context.game.view)
    if (move && stored.ply === this.context.game.ply) {
      this.context.moveEntry.act({ do: 'suggest', ...move })
      this.context.moveEntry.act({ do: 'send' })
    }
    const response = outbox.resume(() => this.#onWait(stored.text))
    if (response) await this.#deliver(stored.text, response, true)
  }

  /** `isResumed` if the move was confirmed before a reload: it counts as one that had to wait. */
  async #deliver(text: string, response: Promise<Game>, isResumed = false): Promise<boolean> {
    const isPlayed = await this.context.requests.send(
      () => response,
      (error) => this.#reportFailure(text, error, isResumed || this.waitingMove !== null),
    )
    const hasWaited = this.waitingMove !== null
    this.waitingMove = null
    this.context.updates.replyDelay.endSending()
    this.context.moveEntry.act({ do: 'answered' })
    if (isPlayed && hasWaited && !this.#isClosed) this.context.say(t('notice.sent_now', { move: text }))
    return isPlayed
  }

  #onWait(text: string): void {
    if (this.#isClosed || this.waitingMove !== null) return
    this.waitingMove = text
    this.context.say(t('notice.waiting', { move: text }))
    this.context.clearMessage()
  }

  /** Say why a move was not played, and if it waited, what happened meanwhile; after a close, at the next opening. */
  #reportFailure(text: string, error: unknown, hasWaited: boolean): void {
    if (!(error instanceof ApiError)) throw error
    if (this.#isClosed) return
    this.context.source.outbox?.forgetRefused()
    this.context.updates.replyDelay.endSending()
    this.context.updates.applyFromError(error)
    if (error.code === WITHDRAWN) return this.context.say(t('notice.withdrawn'))
    const isOvertaken = error.code === OVERTAKEN || (hasWaited && error.code === 'wrong_ply')
    const message = isOvertaken
      ? t('notice.overtaken', { move: text })
      : hasWaited
        ? t('notice.not_played', { move: text, reason: errorWords(error) })
        : errorWords(error)
    this.context.say(message, 'refusal')
  }
}
