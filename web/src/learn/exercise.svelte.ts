/** One board of a lesson: turns are tried on it, the opponent answers, and it says whether the goal was reached. */
import type { Notice } from '../board/model/entry'
import type { Source } from '../board/model/legal'
import type { Shape } from '../board/model/shape'
import { topOf } from '../board/model/stacks'
import { momentWords } from '../board/view/words'
import { t, tOr } from '../i18n/index.svelte'
import type { Task } from '../kernel/kernel'
import type { PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import { EITHER, type GameJudge } from '../parts/judge'
import { loadKernel } from '../parts/later'
import type { Habits } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { Latest, STALE, type Ticket } from '../requests/latest'
import { Attempt, NOTHING } from './attempt.svelte'
import { type Board, type Lesson, wrongWay } from './course'
import { type Goal, type Moment, reached } from './goals'
import { actionsOf, isAllowed, readTry, type Try } from './tries'

/** What a level plays. */
export type Play = (task: Task, level: number, seed: number) => Promise<string>

/** Who answers where no level was named, and who gives hints where there is no solution. */
const ANSWERING = 3
const HINTING = 4

/** What the page says of a piece is named otherwise in the rules. */
const RULES: Partial<Record<Notice['code'], string>> = { opponents_piece: 'OPPONENTS_PIECE', none_left: 'NOT_IN_SET' }

const byKernel: Play = async (task, level, seed) => (await (await loadKernel()).play(task, level, seed).done).move

export class Exercise extends Attempt {
  /** Said at a moment of a whole game. */
  remark: () => string = $state.raw(NOTHING)
  #showing = false
  #held: Source | null = null
  #said: ReadonlySet<string> = new Set()
  readonly #pins = new Latest(() => [this.view, this.stage])

  constructor(
    shape: Shape,
    start: PositionView,
    readonly lesson: Lesson,
    readonly board: Board,
    habits: () => Habits,
    readonly games: GameJudge = EITHER,
    voice?: Voice,
    readonly play: Play = byKernel,
  ) {
    super(shape, start, habits, games, voice)
    this.#look()
  }

  /** The lesson's words for something. */
  words(which: string): string {
    return tOr(`lesson.${this.lesson.id}.${this.board.id}.${which}`, '')
  }

  /** Whether a solution can be shown. */
  get showable(): boolean {
    return this.board.solution !== undefined
  }

  /** A whole game, and one that is to be repeated, may end by repetition; a position alone knows nothing of that. */
  protected override judged(turns: readonly string[]): Promise<PositionView> {
    const { level, goal } = this.board
    return level || goal.ended === 'repetition' ? this.games.game(this.start.text, turns) : super.judged(turns)
  }

  protected override refused(codes: readonly string[]): void {
    if (this.stage === 'try' && this.#holds(this.board.goal, this.view, codes))
      this.#settle('done', () => this.words('done'))
  }

  protected override noticed(notice: Notice): void {
    const rule = RULES[notice.code]
    if (rule) this.refused([rule])
    else if (notice.code === 'pinned') void this.#whyPinned(notice)
    else if (notice.code === 'not_your_turn' && this.view.outcome && this.stage === 'try') {
      this.say(t('reason.GAME_OVER'), 'refusal')
      this.refused(['GAME_OVER'])
    }
  }

  protected override held(source: Source | null): void {
    super.held(source)
    // Put back as it was: on paper that would be a turn which changes nothing.
    if (!source && this.#held?.from === 'board') this.refused(['NO_CHANGE'])
    this.#held = source
  }

  /** The board cannot tell which of two rules holds a piece down. */
  async #whyPinned({ space }: Notice): Promise<void> {
    const piece = space && topOf(this.situation.stacks, space)
    if (!piece) return
    try {
      const tap = `${piece.space}-${piece.space}`
      const found = await this.#pins.ask(() => this.judge.explainTap(this.start.text, this.turns, tap))
      if (found !== STALE && found.reason) this.refused([found.reason])
    } catch {
      // That it is blocked was said.
    }
  }

  #holds(goal: Goal, view: PositionView, refused: readonly string[] = []): boolean {
    const moment: Moment = { shape: this.shape, view, player: this.learner, refused, turns: this.own }
    return reached(goal, moment)
  }

  protected async weigh(text: string, view: PositionView, wanted: Ticket): Promise<void> {
    const { goal, hold, turns = 1 } = this.board
    if (this.#holds(goal, view)) return this.#settle('done', () => this.words('done'))
    const way = wrongWay(this.board, text, view.last?.manner)
    if (way) return this.#settle('missed', () => this.words(way))
    if (hold && !this.#holds(hold, view)) return this.#settle('missed', () => this.words('hold'))
    if (view.outcome || this.own >= turns) return this.#settle('missed', () => this.#missed(view))
    await this.#answer(wanted)
  }

  /** Why a turn that has no words of its own was not the one. */
  #missed(view: PositionView): string {
    const { goal } = this.board
    if (goal.refused) return t('learn.missed_refused')
    if (goal.safe && !view.outcome && !this.#holds({ safe: true }, view)) return t('learn.missed_safe')
    if (goal.winner === this.learner) return t('learn.missed_winner')
    return t('learn.missed')
  }

  async #answer(wanted: Ticket): Promise<void> {
    const before = this.turns
    try {
      const view = (await this.#scripted(before)) ?? (await this.#level(before))
      if (wanted.stale) return
      this.turns = [...before, view.last?.text ?? '']
      this.stage = 'try'
      this.show(view)
      this.say(momentWords(view))
      if (this.#holds(this.board.goal, view)) this.#settle('done', () => this.words('done'))
      else if (view.outcome) this.#settle('missed', () => t('learn.missed'))
      else this.#look()
      if (this.#showing && this.stage === 'try') this.#perform()
    } catch (error) {
      if (wanted.stale) return
      this.#settle('missed', () => errorWords(error))
    }
  }

  async #scripted(before: readonly string[]): Promise<PositionView | null> {
    const answer = this.board.answers?.[this.own - 1]
    if (!answer) return null
    try {
      return await this.judged([...before, answer])
    } catch {
      // It was meant for another turn.
      return null
    }
  }

  async #level(before: readonly string[]): Promise<PositionView> {
    const task = { start: this.start.text, turns: before }
    const move = await this.play(task, this.board.level ?? ANSWERING, before.length)
    return this.judged([...before, move])
  }

  /** Say what a whole game has to say at this moment. */
  #look(): void {
    const { moments = [] } = this.board
    const now = moments.find(({ say, when, again }) => (again || !this.#said.has(say)) && this.#holds(when, this.view))
    if (!now) return
    this.#said = new Set([...this.#said, now.say])
    this.remark = () => this.words(now.say)
    this.voice.say(this.remark())
  }

  #settle(stage: 'done' | 'missed', words: () => string): void {
    this.remark = NOTHING
    this.end(this.#showing && stage === 'done' ? 'shown' : stage, words)
    this.#showing = false
    if (this.view.outcome && this.board.moments) this.#look()
  }

  /** What would be tried next: the solution's; after another turn than its own, a connection; or what a level plays. */
  protected async next(): Promise<Try | null> {
    const { solution, goal } = this.board
    const text = goal.refused ? solution?.[0] : solution?.[this.own]
    const tried = text ? readTry(text, this.view) : null
    if (tried && (goal.refused || (tried.turn && isAllowed(tried.turn, this.shape, this.view)))) return tried
    const connection = this.view.threats[this.learner].turns[0]
    if (connection) return readTry(connection, this.view)
    try {
      const task = { start: this.start.text, turns: this.turns }
      return readTry(await this.play(task, HINTING, this.turns.length), this.view)
    } catch {
      return null
    }
  }

  /** Show how it is done, from the beginning. */
  solve(): void {
    this.again()
    this.#showing = true
    this.#perform()
  }

  #perform(): void {
    const { solution = [], goal } = this.board
    for (const text of goal.refused ? solution : solution.slice(this.own, this.own + 1)) {
      for (const action of actionsOf(readTry(text, this.view), this.view)) this.turn.act(action)
    }
  }

  override again(): void {
    this.remark = NOTHING
    this.#showing = false
    this.#held = null
    this.#said = new Set()
    super.again()
    this.#look()
  }
}
