/** The player's requests to the game's source: moves; undo and redo, offers, resignation, greetings, rematch. */
import { ApiError, isUnsent, OFFLINE } from '../../api/client'
import type { GameSource, PlayerActions } from '../../api/gameSource'
import type { Colour, Game, Greeting, OfferKind, You } from '../../api/model'
import { OVERTAKEN, WITHDRAWN } from '../../api/serverGame'
import { readMove } from '../../board/model/moves'
import type { MoveEntry } from '../../board/view/entry.svelte'
import { speedOf } from '../../games/timeControl'
import { t } from '../../i18n/index.svelte'
import { Latest } from '../../requests/latest'
import { errorWords } from '../../ui/errors'

/** The game on this screen, as far as requests need it. */
export interface RequestContext {
  readonly game: Game
  readonly source: GameSource
  readonly me: Colour | null
  readonly between: boolean
  readonly participants: { readonly you: You | null }
  readonly updates: { apply(game: Game): void }
  /** Whether the game itself is on the board; if it is an earlier position, that is said. */
  isAtGame(): boolean
  say(text: string, tone: 'refusal'): void
  handleError(error: unknown): void
}

export class GameRequests {
  #pendingCount = $state(0)
  /** Undo and redo: the next is accepted as soon as the game shows the last one, whichever way that was received. */
  readonly #steps: Latest

  constructor(readonly context: RequestContext) {
    this.#steps = new Latest(() => [context.game.revision])
  }

  /** Whether a request is on its way. */
  get isBusy(): boolean {
    return this.#pendingCount > 0
  }

  // ------------------------------------------------------------------ undo and redo

  /** Whether the player may undo and redo without asking the opponent. */
  get #canStepAlone(): boolean {
    return this.context.participants.you?.may.undo ?? true
  }

  async undo(): Promise<boolean> {
    const { context } = this
    if (this.#steps.isPending || !context.isAtGame()) return false
    if (context.between) return !this.isBusy && this.canOfferUndo && this.offer('undo')
    return context.game.may_undo && this.#canStepAlone && this.#stepOnce(() => context.source.undo(context.game.ply))
  }

  async redo(): Promise<boolean> {
    const { context } = this
    if (this.#steps.isPending || !context.isAtGame()) return false
    return context.game.may_redo && this.#canStepAlone && this.#stepOnce(() => context.source.redo(context.game.ply))
  }

  async #stepOnce(request: () => Promise<Game>): Promise<boolean> {
    return (await this.#steps.runOnce(() => this.send(request))) !== false // stale: this very step has changed the game
  }

  // ------------------------------------------------------------------ the end of the game

  /** The colour that would resign: the player's own, or else the side to move. */
  readonly resigningColour: Colour = $derived.by(() => this.context.me ?? this.context.game.turn)

  resign(colour = this.resigningColour): Promise<boolean> {
    return this.send(() => this.context.source.resign(colour))
  }

  draw(): Promise<boolean> {
    return this.send(() => this.context.source.draw())
  }

  /** Begin a game with the same players and rules, colours swapped; returns its address. */
  async rematch(): Promise<string | null> {
    if (this.isBusy) return null
    const { rules, seats } = this.context.game
    const seat = ({ type, name, level }: (typeof seats)['w']) => ({ type, name, level })
    return this.#request(() => this.context.source.begin({ rules, seats: { w: seat(seats.b), b: seat(seats.w) } }))
  }

  // ------------------------------------------------------------------ between two people

  /** Whether the player has a move that the opponent may be asked to take back. */
  readonly canOfferUndo: boolean = $derived.by(() => {
    const { game, me } = this.context
    return me !== null && !game.outcome && !game.offer && game.turns.some(({ colour }) => colour === me)
  })

  /** Whether the game may still be aborted: one side has not moved yet. */
  readonly canAbort: boolean = $derived.by(() => {
    const { game, me, between } = this.context
    return between && me !== null && !game.outcome && game.ply < 2
  })

  get #people(): PlayerActions {
    const { people } = this.context.source
    if (!people) throw new ApiError(409, 'not_possible', 'Nobody else plays here.')
    return people
  }

  offer(kind: OfferKind): Promise<boolean> {
    return this.send(() => this.#people.offer(kind))
  }

  accept(kind: OfferKind): Promise<boolean> {
    return this.send(() => this.#people.accept(kind))
  }

  /** Decline the opponent's offer, or withdraw one's own. */
  refuse(): Promise<boolean> {
    return this.send(() => this.#people.refuse())
  }

  /** Whether the player may suggest a pause: in a game by days that has none. */
  readonly canOfferPause: boolean = $derived.by(() => {
    const { game, me, between } = this.context
    const isRunning = between && me !== null && !game.outcome && speedOf(game.time) === 'days'
    return isRunning && !game.pauses?.some(({ by }) => by === null)
  })

  /** End a pause that both agreed to. */
  resume(): Promise<boolean> {
    return this.send(() => this.#people.resume())
  }

  /** Abort the game; the live connection reports when it is gone. */
  async abort(): Promise<void> {
    try {
      await this.#people.abort()
    } catch (error) {
      this.#handleError(error)
    }
  }

  async greet(greeting: Greeting): Promise<void> {
    try {
      await this.#people.greet(greeting)
    } catch (error) {
      this.#handleError(error)
    }
  }

  // ------------------------------------------------------------------ sending

  /** Send a request and apply the game that answers it; returns whether it was granted. */
  async send(request: () => Promise<Game>, onError?: (error: unknown) => void): Promise<boolean> {
    const game = await this.#request(request, onError)
    if (game) this.context.updates.apply(game)
    return game !== null
  }

  /** The response to a request; null if it is refused, which is said. */
  async #request<T>(
    request: () => Promise<T>,
    onError = (error: unknown) => this.#handleError(error),
  ): Promise<T | null> {
    this.#pendingCount += 1
    try {
      return await request()
    } catch (error) {
      onError(error)
      return null
    } finally {
      this.#pendingCount -= 1
    }
  }

  /** Say why a request failed. One that got no answer may have reached the server all the same. */
  #handleError(error: unknown): void {
    if (!(error instanceof ApiError) || error.code !== OFFLINE) return this.context.handleError(error)
    this.context.say(t(isUnsent(error) ? 'notice.unsent' : 'notice.unanswered'), 'refusal')
  }
}

// ------------------------------------------------------------------ moves

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

/** Sends a move and reports its result. Without a connection the move waits, even over a reload, and that is said. */
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
