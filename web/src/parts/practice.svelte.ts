/** A board to try turns on, without a game behind it, that can be set up again: for the rules and for exercises. */
import type { Shape } from '../board/model/shape'
import { t } from '../i18n/index.svelte'
import type { Colour, PositionView } from '../net/model'
import { errorWords } from './errors'
import { EITHER, type Judge } from './judge'
import { type Habits, Trying } from './trying.svelte'
import { Latest, STALE } from '../requests/latest'
import type { Voice } from './voice.svelte'

export class Practice extends Trying {
  turns: readonly string[] = $state.raw([])
  readonly #boards = new Latest(() => [this.turns])

  constructor(
    shape: Shape,
    readonly start: PositionView,
    habits: () => Habits,
    /** How many turns may be tried before the board waits to be set up again. */
    readonly most = Infinity,
    judge: Judge = EITHER,
    voice?: Voice,
  ) {
    super(shape, start, habits, judge, voice)
  }

  override get player(): Colour | null {
    return this.turns.length >= this.most ? null : super.player
  }

  protected position(): { start: string; turns: readonly string[] } {
    return { start: this.start.text, turns: this.turns }
  }

  protected override played(text: string): void {
    this.turns = [...this.turns, text]
  }

  /** Set the board up again. */
  reset(): void {
    this.#boards.drop()
    this.turns = []
    this.show(this.start)
    this.word = null
    this.refusal = null
  }

  /** Take the last turn back. */
  async back(): Promise<void> {
    this.withdraw()
    const turns = this.turns.slice(0, -1)
    try {
      const judged = async (): Promise<PositionView> => this.judge.view(this.start.text, turns)
      const view = turns.length ? await this.#boards.ask(judged) : this.start
      if (view === STALE) return
      this.turns = turns
      this.show(view)
      this.word = null
      this.voice.say(t('notice.taken_back'))
    } catch (error) {
      this.say(errorWords(error), 'refusal')
    }
  }
}
