/** A board with a task: turns are tried on it and judged, hints are given in steps, and it can be set up again. */
import { tick } from 'svelte'
import type { Shape } from '../board/model/shape'
import type { Colour, PositionView } from '../net/model'
import { EITHER, type Judge } from '../parts/judge'
import { type Habits, Trying } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { Latest, STALE, type Ticket } from '../requests/latest'
import { type Hint, hintOf, stepsOf } from './hints'
import type { Try } from './tries'

/** `try`: the player's turn; `answer`: the opponent's; then the goal was reached, missed, or shown. */
export type Stage = 'try' | 'answer' | 'done' | 'missed' | 'shown'

export const NOTHING = (): string => ''

export abstract class Attempt extends Trying {
  stage: Stage = $state('try')
  /** What came of it, in the words of whichever language is spoken. */
  verdict: () => string = $state.raw(NOTHING)
  turns: readonly string[] = $state.raw([])
  hint: Hint | null = $state.raw(null)
  /** What comes of the last move; nothing any more once the board was set up again, or another move was played. */
  protected readonly outcomes = new Latest()
  readonly #hints = new Latest(() => [this.view, this.stage])
  #steps = 0

  constructor(
    shape: Shape,
    readonly start: PositionView,
    habits: () => Habits,
    judge: Judge = EITHER,
    voice?: Voice,
  ) {
    super(shape, start, habits, judge, voice)
  }

  /** What came of a turn: the goal, a wrong way, or an answer. */
  protected abstract weigh(text: string, view: PositionView, wanted: Ticket): Promise<void>
  /** What would be tried next. */
  protected abstract next(): Promise<Try | null>

  /** Whose task it is. */
  get learner(): Colour {
    return this.start.turn
  }

  override get player(): Colour | null {
    return this.stage === 'try' && this.view.turn === this.learner ? super.player : null
  }

  /** How many turns the player has played. */
  get own(): number {
    return this.turns.filter((_, ply) => ply % 2 === 0).length
  }

  protected position(): { start: string; turns: readonly string[] } {
    return { start: this.start.text, turns: this.turns }
  }

  protected override played(text: string, view: PositionView): void {
    this.turns = [...this.turns, text]
    this.#forgetHint()
    this.stage = 'answer'
    const wanted = this.outcomes.begin()
    // The turn itself is told first.
    void tick().then(() => (wanted.stale ? undefined : this.weigh(text, view, wanted)))
  }

  /** It is decided. */
  protected end(stage: 'done' | 'missed' | 'shown', words: () => string): void {
    this.stage = stage
    this.#forgetHint()
    this.verdict = words
    this.turn.act({ do: 'sync' })
    this.voice.say(words())
  }

  /** The next step of a hint. */
  async giveHint(): Promise<void> {
    const tried = await this.#hints.ask(() => this.next())
    if (tried === STALE || this.stage !== 'try' || !tried) return
    this.#steps = Math.min(this.#steps + 1, stepsOf(tried))
    this.hint = hintOf(tried, this.#steps, this.view)
    this.voice.say(this.hint.words)
  }

  #forgetHint(): void {
    this.#hints.drop()
    this.hint = null
    this.#steps = 0
  }

  /** Set the board up again. */
  again(): void {
    this.back([], this.start)
  }

  /** Have the player try again from where these turns led. */
  protected back(turns: readonly string[], view: PositionView): void {
    this.withdraw()
    this.outcomes.drop()
    this.turns = turns
    this.stage = 'try'
    this.verdict = NOTHING
    this.#forgetHint()
    this.refusal = null
    this.turn.act({ do: 'cancel' })
    this.word = null
    this.show(view)
  }
}
