/** Learning from one's mistakes: each bad position again, a better turn to be found, and judged as the game was. */
import { SvelteSet } from 'svelte/reactivity'
import type { Shape } from '../board/model/shape'
import type { Kernel } from '../kernel/kernel'
import type { Colour, PositionView, Remark } from '../net/model'
import { errorWords } from '../parts/errors'
import { type Judge, judgedBy } from '../parts/judge'
import { type Habits, Trying } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { Latest, STALE } from '../requests/latest'
import { badTurns, type Prospect, prospectBefore, prospectOf, remarkOn, type Reviewed } from '../coach/judging'
import { lookAt } from '../coach/reviewing.svelte'

/** What came of a try. */
export interface Verdict {
  readonly turn: string
  /** It gives away less than would be worth a word, or is the best. */
  readonly good: boolean
  readonly best: boolean
  /** The very turn of the game. */
  readonly again: boolean
  readonly remark: Remark
  /** What there was before the turn. */
  readonly before: Prospect
  /** How the other side would answer. */
  readonly answer: readonly string[]
}

/** `find`: it is the player's turn; `judging`: a try is being judged; then a verdict, or the solution. */
export type Stage = 'find' | 'judging' | 'tried' | 'shown' | 'done'

export class Learning extends Trying {
  stage: Stage = $state('find')
  verdict: Verdict | null = $state.raw(null)
  /** Which of the mistakes is on the board. */
  index = $state(0)
  /** Which of them were found without help, and which were shown. */
  readonly #found = new SvelteSet<number>()
  readonly #helped = new Set<number>()
  readonly #game: { readonly start: string; readonly turns: readonly string[] }
  #turns: readonly string[] = $state.raw([])
  /** The board that is being set up, or the try that is being judged. */
  readonly #boards = new Latest()

  private constructor(
    shape: Shape,
    view: PositionView,
    habits: () => Habits,
    judge: Judge,
    readonly kernel: Kernel,
    readonly review: Reviewed,
    readonly mistakes: readonly Remark[],
    readonly nodes: number,
    game: { readonly start: string; readonly turns: readonly string[] },
    voice?: Voice,
  ) {
    super(shape, view, habits, judge, voice)
    this.#game = game
    this.#turns = this.#before
  }

  /** Begin with the first mistake of a colour; null if there is none. */
  static async of(
    kernel: Kernel,
    shape: Shape,
    habits: () => Habits,
    game: { readonly start: string; readonly turns: readonly string[] },
    review: Reviewed,
    colour: Colour,
    nodes: number,
    voice?: Voice,
  ): Promise<Learning | null> {
    const mistakes = badTurns(review, colour)
    const first = mistakes[0]
    if (!first) return null
    const view = await kernel.view(game.start, game.turns.slice(0, first.ply))
    return new Learning(shape, view, habits, judgedBy(kernel), kernel, review, mistakes, nodes, game, voice)
  }

  /** What was played in the game, and is to be bettered. */
  get mistake(): Remark {
    const mistake = this.mistakes[this.index] ?? this.mistakes.at(-1)
    if (!mistake) throw new RangeError('there is nothing to learn from')
    return mistake
  }

  get #before(): readonly string[] {
    return this.#game.turns.slice(0, this.mistake.ply)
  }

  readonly prospect: Prospect = $derived.by(() => prospectBefore(this.review, this.mistake.ply))

  /** The turns on the board since the position that was set. */
  readonly tried: readonly string[] = $derived.by(() => this.#turns.slice(this.mistake.ply))

  override get player(): Colour | null {
    return this.stage === 'find' ? super.player : null
  }

  protected position(): { start: string; turns: readonly string[] } {
    return { start: this.#game.start, turns: this.#turns }
  }

  protected override played(text: string, view: PositionView): void {
    this.#turns = [...this.#turns, text]
    this.stage = 'judging'
    void this.#judge(text, view)
  }

  async #judge(turn: string, view: PositionView): Promise<void> {
    const { ply, colour } = this.mistake
    try {
      const after = await this.#boards.ask(() => lookAt(this.kernel, view, this.nodes))
      if (after === STALE) return
      const remark = remarkOn(this.prospect, ply, colour, turn, after)
      this.verdict = {
        turn,
        good: remark.judgement === null,
        best: turn === this.prospect.best[0],
        again: turn === this.mistake.turn,
        remark,
        before: this.prospect,
        answer: prospectOf(after).best,
      }
      if (this.verdict.good && !this.#helped.has(this.index)) this.#found.add(this.index)
      this.stage = 'tried'
    } catch (error) {
      await this.again()
      this.say(errorWords(error), 'refusal')
    }
  }

  /** How many were found without help. */
  get found(): number {
    return this.#found.size
  }

  /** Try once more. */
  again(): Promise<void> {
    return this.#set(this.#before, 'find')
  }

  /** Show what was best: it is played on the board, as far as the variation goes, one turn a press. */
  async solve(): Promise<void> {
    const shown = this.stage === 'shown' ? this.tried.length : 0
    this.#helped.add(this.index)
    await this.#set([...this.#before, ...this.prospect.best.slice(0, shown + 1)], 'shown')
  }

  /** Whether more of the solution can be shown. */
  readonly more: boolean = $derived.by(() => this.stage === 'shown' && this.tried.length < this.prospect.best.length)

  /** The next mistake; after the last one it is over. */
  async next(): Promise<void> {
    if (this.index + 1 >= this.mistakes.length) {
      this.withdraw()
      this.#boards.drop()
      this.stage = 'done'
      this.verdict = null
      return
    }
    this.index += 1
    await this.#set(this.#before, 'find')
  }

  /** From the first one on. */
  async restart(): Promise<void> {
    this.index = 0
    this.#found.clear()
    this.#helped.clear()
    await this.#set(this.#before, 'find')
  }

  async #set(turns: readonly string[], stage: Stage): Promise<void> {
    this.withdraw()
    try {
      const view = await this.#boards.ask(() => this.judge.view(this.#game.start, turns))
      if (view === STALE) return
      this.#turns = turns
      this.stage = stage
      this.verdict = null
      this.word = null
      this.refusal = null
      this.show(view)
    } catch (error) {
      this.say(errorWords(error), 'refusal')
    }
  }
}
