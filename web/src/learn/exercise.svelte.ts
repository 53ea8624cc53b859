/** One board of a lesson: turns are tried on it, the opponent answers, and it says whether the goal was reached. */
import { tick } from 'svelte'
import type { Notice } from '../board/model/entry'
import type { Source } from '../board/model/legal'
import type { Shape } from '../board/model/shape'
import { topOf } from '../board/model/stacks'
import { momentWords } from '../board/view/words'
import { t, tOr } from '../i18n/index.svelte'
import type { Task } from '../kernel/kernel'
import type { Colour, PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import { EITHER, type GameJudge } from '../parts/judge'
import { loadKernel } from '../parts/later'
import { type Habits, Trying } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { type Board, type Lesson, wrongWay } from './course'
import { type Goal, type Moment, reached } from './goals'
import { type Hint, hintOf, stepsOf } from './hints'
import { actionsOf, isAllowed, readTry, type Try } from './tries'

/** `try`: the player's turn; `answer`: the opponent's; then the goal was reached, missed, or shown. */
export type Stage = 'try' | 'answer' | 'done' | 'missed' | 'shown'

/** What a level plays. */
export type Play = (task: Task, level: number, seed: number) => Promise<string>

/** Who answers where no level was named, and who gives hints where there is no solution. */
const ANSWERING = 3
const HINTING = 4

/** What the page says of a piece is named otherwise in the rules. */
const RULES: Partial<Record<Notice['code'], string>> = { opponents_piece: 'OPPONENTS_PIECE', none_left: 'NOT_IN_SET' }

const byKernel: Play = async (task, level, seed) => (await (await loadKernel()).play(task, level, seed).done).move

const NOTHING = (): string => ''

export class Exercise extends Trying {
  stage: Stage = $state('try')
  /** What came of it, in the words of whichever language is spoken. */
  verdict: () => string = $state.raw(NOTHING)
  /** Said at a moment of a whole game. */
  remark: () => string = $state.raw(NOTHING)
  turns: readonly string[] = $state.raw([])
  hint: Hint | null = $state.raw(null)
  #steps = 0
  #showing = false
  #held: Source | null = null
  #said: ReadonlySet<string> = new Set()
  /** Grows whenever the board is set up: what was on its way to another one is not wanted. */
  #setups = 0

  constructor(
    shape: Shape,
    readonly start: PositionView,
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

  /** Whose exercise it is. */
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

  /** The lesson's words for something. */
  words(which: string): string {
    return tOr(`lesson.${this.lesson.id}.${this.board.id}.${which}`, '')
  }

  /** Whether a solution can be shown. */
  get showable(): boolean {
    return this.board.solution !== undefined
  }

  protected position(): { start: string; turns: readonly string[] } {
    return { start: this.start.text, turns: this.turns }
  }

  /** A whole game, and one that is to be repeated, may end by repetition; a position alone knows nothing of that. */
  protected override judged(turns: readonly string[]): Promise<PositionView> {
    const { level, goal } = this.board
    return level || goal.ended === 'repetition' ? this.games.game(this.start.text, turns) : super.judged(turns)
  }

  protected played(text: string, view: PositionView): void {
    this.turns = [...this.turns, text]
    this.hint = null
    this.#steps = 0
    this.stage = 'answer'
    void this.#weigh(text, view)
  }

  protected override refused(codes: readonly string[]): void {
    if (this.stage === 'try' && this.#holds(this.board.goal, this.view, codes))
      this.#end('done', () => this.words('done'))
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
    const setup = this.#setups
    const piece = space && topOf(this.situation.stacks, space)
    if (!piece) return
    try {
      const { reason } = await this.judge.explainTap(this.start.text, this.turns, `${piece.space}-${piece.space}`)
      if (setup === this.#setups && reason) this.refused([reason])
    } catch {
      // That it is blocked was said.
    }
  }

  #holds(goal: Goal, view: PositionView, refused: readonly string[] = []): boolean {
    const moment: Moment = { shape: this.shape, view, player: this.learner, refused, turns: this.own }
    return reached(goal, moment)
  }

  /** What came of a turn: the goal, a wrong way, or an answer. */
  async #weigh(text: string, view: PositionView): Promise<void> {
    const setup = this.#setups
    // The turn itself is told first.
    await tick()
    if (setup !== this.#setups) return
    const { goal, hold, turns = 1 } = this.board
    if (this.#holds(goal, view)) return this.#end('done', () => this.words('done'))
    const way = wrongWay(this.board, text, view.last?.manner)
    if (way) return this.#end('missed', () => this.words(way))
    if (hold && !this.#holds(hold, view)) return this.#end('missed', () => this.words('hold'))
    if (view.outcome || this.own >= turns) return this.#end('missed', () => this.#missed(view))
    await this.#answer(setup)
  }

  /** Why a turn that has no words of its own was not the one. */
  #missed(view: PositionView): string {
    const { goal } = this.board
    if (goal.refused) return t('learn.missed_refused')
    if (goal.safe && !view.outcome && !this.#holds({ safe: true }, view)) return t('learn.missed_safe')
    if (goal.winner === this.learner) return t('learn.missed_winner')
    return t('learn.missed')
  }

  async #answer(setup: number): Promise<void> {
    const before = this.turns
    try {
      const view = (await this.#scripted(before)) ?? (await this.#level(before))
      if (setup !== this.#setups) return
      this.turns = [...before, view.last?.text ?? '']
      this.stage = 'try'
      this.show(view)
      this.say(momentWords(view))
      if (this.#holds(this.board.goal, view)) this.#end('done', () => this.words('done'))
      else if (view.outcome) this.#end('missed', () => t('learn.missed'))
      else this.#look()
      if (this.#showing && this.stage === 'try') this.#perform()
    } catch (error) {
      if (setup !== this.#setups) return
      this.#end('missed', () => errorWords(error))
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

  #end(stage: 'done' | 'missed', words: () => string): void {
    this.stage = this.#showing && stage === 'done' ? 'shown' : stage
    this.#showing = false
    this.hint = null
    this.verdict = words
    this.remark = NOTHING
    this.turn.act({ do: 'sync' })
    this.voice.say(words())
    if (this.view.outcome && this.board.moments) this.#look()
  }

  /** The next step of a hint. */
  async giveHint(): Promise<void> {
    const setup = this.#setups
    const tried = await this.#next()
    if (setup !== this.#setups || this.stage !== 'try' || !tried) return
    this.#steps = Math.min(this.#steps + 1, stepsOf(tried))
    this.hint = hintOf(tried, this.#steps, this.view)
    this.voice.say(this.hint.words)
  }

  /** What would be tried next: the solution's; after another turn than its own, a connection; or what a level plays. */
  async #next(): Promise<Try | null> {
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

  /** Set the board up again. */
  again(): void {
    this.#setups += 1
    this.turns = []
    this.stage = 'try'
    this.verdict = NOTHING
    this.remark = NOTHING
    this.hint = null
    this.word = null
    this.refusal = null
    this.#steps = 0
    this.#showing = false
    this.#held = null
    this.#said = new Set()
    this.turn.act({ do: 'answered' })
    this.turn.act({ do: 'cancel' })
    this.word = null
    this.show(this.start)
    this.#look()
  }
}
