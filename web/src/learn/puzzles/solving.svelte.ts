/**
 * One puzzle on the board: turns are judged, by what is stored and else by the kernel; the opponent answers; wrong ones
 * are shown what is wrong with them, and the solution can be gone through turn by turn.
 */
import type { Shape } from '../../board/model/shape'
import { momentWords, other } from '../../board/view/words'
import { t } from '../../i18n/index.svelte'
import type { Answer, Task, Win } from '../../kernel/kernel'
import type { Colour, PositionView } from '../../net/model'
import { errorWords } from '../../parts/errors'
import { EITHER, type Judge } from '../../parts/judge'
import { loadKernel } from '../../parts/later'
import type { Habits } from '../../parts/trying.svelte'
import type { Voice } from '../../parts/voice.svelte'
import { Latest, STALE, type Ticket } from '../../requests/latest'
import { Attempt } from '../attempt.svelte'
import { readTry, type Try } from '../tries'
import type { Puzzle } from './collection'

/** Whoever can tell what is proven. */
export interface Prover {
  /** Whether the side to move loses within so many turns of the other side, and what it had best play. */
  answer(task: Task, turns: number): Promise<Answer>
  /** How the side to move wins within so many turns. */
  win(task: Task, turns: number): Promise<Win>
  /** What a level plays, where nothing is proven. */
  play(task: Task): Promise<string>
}

/** So many turns the kernel tries before it says that it does not know: about two seconds of a phone. */
const BUDGET = 400_000
const LEVEL = 3
/** Within so many turns the kernel looks for wins of every kind; within more, for those that threaten all the way. */
const FULLY = 2

export const byKernel: Prover = {
  answer: async (task, turns) => (await loadKernel()).answer(task, turns, BUDGET).done,
  win: async (task, turns) => (await loadKernel()).win(task, turns, BUDGET).done,
  play: async (task) => (await (await loadKernel()).play(task, LEVEL, task.turns.length).done).move,
}

/** So that a turn is seen before the next one is played, in milliseconds. */
const PAUSE = 800
const waited = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE))

export interface Around {
  readonly judge?: Judge
  readonly voice?: Voice
  readonly prover?: Prover
  readonly pause?: () => Promise<void>
  /** Against the clock nobody is told what is wrong with a turn. */
  readonly hasty?: boolean
  /** It is known whether the first try solves it; said once. */
  readonly decided?: (solved: boolean) => void
}

/** What is wrong with a turn. */
interface Refutation {
  /** The opponent's turn, and how it goes on. */
  readonly line: readonly string[]
  readonly words: () => string
}

export class Solving extends Attempt {
  /** What can be gone through, from the beginning on; and how far one has gone. Only when nobody is to play. */
  line: readonly string[] = $state.raw([])
  at = $state(0)
  /** Whether the first try solved it; null as long as that is open. */
  solved: boolean | null = $state(null)
  /** How it would go on as it is known so far, the player's turn first. */
  #expected: readonly string[]
  /** Before the player's last turn. */
  #before: { readonly turns: readonly string[]; readonly view: PositionView; readonly expected: readonly string[] }
  readonly #looks = new Latest(() => [this.line, this.at])
  readonly #prover: Prover
  readonly #pause: () => Promise<void>

  constructor(
    shape: Shape,
    start: PositionView,
    readonly puzzle: Puzzle,
    habits: () => Habits,
    readonly around: Around = {},
  ) {
    super(shape, start, habits, around.judge ?? EITHER, around.voice)
    this.#prover = around.prover ?? byKernel
    this.#pause = around.pause ?? waited
    this.#expected = puzzle.solution
    this.#before = { turns: [], view: start, expected: puzzle.solution }
  }

  get #task(): Task {
    return this.position()
  }

  protected override played(text: string, view: PositionView): void {
    this.#before = { turns: this.turns, view: this.view, expected: this.#expected }
    super.played(text, view)
  }

  #decide(solved: boolean): void {
    if (this.solved !== null) return
    this.solved = solved
    this.around.decided?.(solved)
  }

  protected async weigh(text: string, view: PositionView, wanted: Ticket): Promise<void> {
    try {
      if (view.outcome) return this.#judgeEnd(view.outcome.winner)
      if (this.puzzle.goal === 'hold') await this.#weighHolding(text, view, wanted)
      else await this.#weighWinning(text, view, wanted)
    } catch (error) {
      if (wanted.stale) return
      this.end('missed', () => errorWords(error))
    }
  }

  /** Whether it is one of the turns that were found when the puzzle was made. */
  #isListed(text: string): boolean {
    return text === this.#expected[0] || (this.own === 1 && this.puzzle.also.includes(text))
  }

  /** Whether it is wrong without another look. */
  #isHopeless(text: string): boolean {
    return this.around.hasty === true && this.own === 1 && this.puzzle.turns <= FULLY && !this.#isListed(text)
  }

  async #weighHolding(text: string, view: PositionView, wanted: Ticket): Promise<void> {
    if (this.#isListed(text)) return this.#done()
    if (this.#isHopeless(text)) return this.#missed({ line: [], words: () => t('puzzle.not_this') })
    const { won, line } = await this.#winning(view)
    if (wanted.stale) return
    if (won === false) this.#done()
    else this.#missed(won ? this.#winsAtOnce(view, line) : this.#unknown())
  }

  /** How the side to move wins at once. */
  async #winning(view: PositionView): Promise<Pick<Win, 'won' | 'line'>> {
    const connection = view.threats[view.turn].turns[0]
    return connection ? { won: true, line: [connection] } : this.#prover.win(this.#task, 1)
  }

  async #weighWinning(text: string, view: PositionView, wanted: Ticket): Promise<void> {
    const left = this.puzzle.turns - this.own
    const [expected, reply] = this.#expected
    if (text === expected && left > 0 && reply) return this.#reply(reply, this.#expected.slice(2), wanted)
    if (this.#isHopeless(text)) return this.#missed({ line: [], words: () => t('puzzle.not_this') })
    const connects = view.threats[view.turn].turns.length > 0
    const answer = connects ? null : await this.#prover.answer(this.#task, Math.max(1, left))
    if (wanted.stale) return
    const accepted = answer?.lost === true || (answer?.lost === null && this.#isListed(text))
    if (answer && accepted && left > 0) {
      const reply = answer.reply ?? (await this.#prover.play(this.#task))
      if (!wanted.stale) await this.#reply(reply, answer.line.slice(1), wanted)
      return
    }
    // Of later turns none were listed: what is not known is not held against them.
    const counts = answer?.lost !== null || this.own === 1
    const refutation = answer ? await this.#whyNot(answer, left) : this.#winsAtOnce(view, view.threats[view.turn].turns)
    if (!wanted.stale) this.#missed(refutation, counts)
  }

  async #reply(text: string, expected: readonly string[], wanted: Ticket): Promise<void> {
    const turns = [...this.turns, text]
    const [view] = await Promise.all([this.judge.view(this.start.text, turns), this.#pause()])
    if (wanted.stale) return
    this.turns = turns
    this.#expected = expected
    this.stage = 'try'
    this.show(view)
    this.say(momentWords(view))
    // A turn that loses by itself ends it, too.
    if (view.outcome) this.#judgeEnd(view.outcome.winner)
  }

  #judgeEnd(winner: Colour | null): void {
    const reached = winner === this.learner || (winner === null && this.puzzle.goal === 'hold')
    if (reached) this.#done()
    else this.#missed({ line: [], words: () => t('puzzle.not_this') })
  }

  #done(): void {
    this.#decide(true)
    this.line = this.turns
    this.at = this.turns.length
    const { goal } = this.puzzle
    this.end('done', () => t(this.solved ? `puzzle.done_${goal}` : 'puzzle.done_later'))
  }

  #missed({ line, words }: Refutation, counts = true): void {
    if (counts) this.#decide(false)
    this.line = [...this.turns, ...line]
    this.at = this.turns.length
    this.end('missed', words)
    void this.#playOut()
  }

  #unknown(): Refutation {
    return { line: [], words: () => t('puzzle.not_looked_for') }
  }

  #winsAtOnce(view: PositionView, line: readonly string[]): Refutation {
    const turn = line[0] ?? ''
    const connects = view.threats[view.turn].turns.includes(turn)
    const key = connects ? 'puzzle.connects' : 'puzzle.wins_with'
    return { line: [turn], words: () => t(key, { colour: this.#opponent, turn }) }
  }

  async #whyNot({ lost, reply, line }: Answer, left: number): Promise<Refutation> {
    if (lost === null || !reply) return this.#unknown()
    if (lost) return { line, words: () => t('puzzle.too_slow', { n: this.puzzle.turns }) }
    const { outcome } = await this.judge.view(this.start.text, [...this.turns, reply])
    const key = outcome?.winner ? 'puzzle.wins_with' : left > FULLY ? 'puzzle.answers' : 'puzzle.stops'
    return { line, words: () => t(key, { colour: this.#opponent, turn: reply }) }
  }

  get #opponent(): string {
    return t(`colour.${other(this.learner)}`)
  }

  /** Play what can be gone through, from where one is, unless somebody does so by hand. */
  async #playOut(): Promise<void> {
    const wanted = this.outcomes.begin()
    while (this.at < this.line.length) {
      const { at } = this
      await this.#pause()
      if (wanted.stale || at !== this.at) return
      await this.look(at + 1)
    }
  }

  /** Whether there is something to go through. */
  get steppable(): boolean {
    return this.stage !== 'try' && this.stage !== 'answer' && this.line.length > 0
  }

  /** Look at the position after so many turns of what can be gone through. */
  async look(at: number): Promise<void> {
    const wanted = Math.max(0, Math.min(at, this.line.length))
    if (!this.steppable || wanted === this.at) return
    this.at = wanted
    try {
      const view = await this.#looks.ask(() => this.judge.view(this.start.text, this.line.slice(0, wanted)))
      if (view === STALE) return
      this.show(view)
      this.voice.say(momentWords(view))
    } catch (error) {
      this.say(errorWords(error), 'refusal')
    }
  }

  override async giveHint(): Promise<void> {
    if (this.stage === 'missed') this.retry()
    this.#decide(false)
    await super.giveHint()
  }

  protected async next(): Promise<Try | null> {
    const known = this.#expected[0]
    if (known) return readTry(known, this.view)
    try {
      const { line } = await this.#prover.win(this.#task, this.puzzle.turns - this.own)
      return line[0] ? readTry(line[0], this.view) : null
    } catch {
      return null
    }
  }

  /** Show how it is done, from the beginning. */
  solve(): void {
    this.#decide(false)
    this.again()
    this.line = this.puzzle.solution
    this.end('shown', () => t('puzzle.shown', { turns: this.puzzle.solution.join(' ') }))
    void this.#playOut()
  }

  /** Take the wrong turn back. */
  retry(): void {
    const { turns, view, expected } = this.#before
    this.back(turns, view)
    this.#expected = expected
  }

  override again(): void {
    super.again()
    this.#expected = this.puzzle.solution
  }

  protected override back(turns: readonly string[], view: PositionView): void {
    this.line = []
    this.at = 0
    super.back(turns, view)
  }
}
