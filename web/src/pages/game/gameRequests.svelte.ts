/** The player's requests to the game's source, moves apart: undo and redo, offers, resignation, greetings, rematch. */
import { ApiError, isUnsent, OFFLINE } from '../../api/client'
import type { GameSource, PlayerActions } from '../../api/gameSource'
import type { Colour, Game, Greeting, OfferKind, You } from '../../api/model'
import { t } from '../../i18n/index.svelte'
import { Latest } from '../../requests/latest'

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
