/** One board of a lesson: judges the player's moves by its goal, and plays the opponent's. */
import type { PositionView } from '../../api/model'
import type { Notice } from '../../board/model/entry'
import type { Source } from '../../board/model/legal'
import { topOf } from '../../board/model/stacks'
import { t, tOr } from '../../i18n/index.svelte'
import type { Task } from '../../kernel/kernel'
import { loadKernel } from '../../kernel/lazy'
import { type GameJudge, serverOrKernel } from '../../play/judge'
import type { BoardSetup } from '../../play/moveBoard.svelte'
import { actionsOf, isAllowed, readStep, type SolutionStep } from '../../play/solutionStep'
import { NO_WORDS, TaskBoard } from '../../play/taskBoard.svelte'
import { Latest, STALE, type Ticket } from '../../requests/latest'
import { errorWords } from '../../ui/errors'
import { type Board, type Lesson, wrongWay } from './course'
import { type Goal, isGoalReached } from './goals'

/** Chooses the move of an engine level. */
export type EnginePlayer = (task: Task, level: number, seed: number) => Promise<string>

/** The level that replies where the lesson names none, and the one that gives hints where there is no solution. */
const REPLY_LEVEL = 3
const HINT_LEVEL = 4

/** The codes that the rules have for the board's own notices. */
const RULE_OF_NOTICE: Partial<Record<Notice['code'], string>> = {
  opponents_piece: 'OPPONENTS_PIECE',
  none_left: 'NOT_IN_SET',
}

const kernelPlayer: EnginePlayer = async (task, level, seed) =>
  (await (await loadKernel()).play(task, level, seed).result).move

export class Exercise {
  /** The remark on the position shown, in a whole game. */
  remark: () => string = $state.raw(NO_WORDS)
  readonly task: TaskBoard
  readonly #judge: GameJudge
  /** Whether the solution is being shown. */
  #isShowing = false
  #selected: Source | null = null
  /** The keys of the remarks made so far. */
  #remarkKeys: ReadonlySet<string> = new Set()
  readonly #pinRequests = new Latest(() => [this.task.board.view, this.task.stage])

  constructor(
    setup: BoardSetup<GameJudge>,
    readonly lesson: Lesson,
    readonly board: Board,
    readonly enginePlayer: EnginePlayer = kernelPlayer,
  ) {
    this.#judge = setup.judge ?? serverOrKernel
    this.task = new TaskBoard(setup, {
      viewAfter: (moves) => this.#viewAfter(moves),
      judgeMove: (text, view, ticket) => this.#judgeMove(text, view, ticket),
      findNextStep: () => this.#findNextStep(),
      onRefused: (codes) => this.#onRefused(codes),
      onNotice: (notice) => this.#onNotice(notice),
      onSelect: (source) => this.#onSelect(source),
    })
    this.#makeRemark()
  }

  /** The board's text of this name. */
  words(name: string): string {
    return tOr(`lesson.${this.lesson.id}.${this.board.id}.${name}`, '')
  }

  get hasSolution(): boolean {
    return this.board.solution !== undefined
  }

  /** The view after moves. Where a repetition may end the game, it is judged as a game, not as a single position. */
  #viewAfter(moves: readonly string[]): Promise<PositionView> {
    const { level, goal } = this.board
    const start = this.task.start.text
    return level || goal.ended === 'repetition' ? this.#judge.game(start, moves) : this.#judge.view(start, moves)
  }

  #onRefused(codes: readonly string[]): void {
    const { task } = this
    if (task.stage === 'try' && this.#isReached(this.board.goal, task.board.view, codes))
      this.#end('done', () => this.words('done'))
  }

  #onNotice(notice: Notice): void {
    const { board, stage } = this.task
    const rule = RULE_OF_NOTICE[notice.code]
    if (rule) this.#onRefused([rule])
    else if (notice.code === 'pinned') void this.#explainPin(notice)
    else if (notice.code === 'not_your_turn' && board.view.outcome && stage === 'try') {
      board.say(t('reason.GAME_OVER'), 'refusal')
      this.#onRefused(['GAME_OVER'])
    }
  }

  #onSelect(source: Source | null): void {
    // A piece was put back as it lay: as a typed move, that would be one that changes nothing.
    if (!source && this.#selected?.from === 'board') this.#onRefused(['NO_CHANGE'])
    this.#selected = source
  }

  /** Ask the judge which of two rules blocks a piece, which the board does not know. */
  async #explainPin({ space }: Notice): Promise<void> {
    const { task } = this
    const piece = space && topOf(task.board.situation.stacks, space)
    if (!piece) return
    try {
      const tap = `${piece.space}-${piece.space}`
      const explanation = await this.#pinRequests.run(() => this.#judge.explainTap(task.start.text, task.moves, tap))
      if (explanation !== STALE && explanation.reason) this.#onRefused([explanation.reason])
    } catch {
      // The player knows already that the piece is blocked.
    }
  }

  #isReached(goal: Goal, view: PositionView, refused: readonly string[] = []): boolean {
    const { board, learner, ownMoveCount } = this.task
    return isGoalReached(goal, { shape: board.shape, view, player: learner, refused, turns: ownMoveCount })
  }

  async #judgeMove(text: string, view: PositionView, ticket: Ticket): Promise<void> {
    const { goal, hold, turns = 1 } = this.board
    if (this.#isReached(goal, view)) return this.#end('done', () => this.words('done'))
    const way = wrongWay(this.board, text, view.last?.manner)
    if (way) return this.#end('missed', () => this.words(way))
    if (hold && !this.#isReached(hold, view)) return this.#end('missed', () => this.words('hold'))
    if (view.outcome || this.task.ownMoveCount >= turns) return this.#end('missed', () => this.#missedWords(view))
    await this.#reply(ticket)
  }

  /** Why a move misses the goal, if the lesson has no text of its own for it. */
  #missedWords(view: PositionView): string {
    const { goal } = this.board
    if (goal.refused) return t('learn.missed_refused')
    if (goal.safe && !view.outcome && !this.#isReached({ safe: true }, view)) return t('learn.missed_safe')
    if (goal.winner === this.task.learner) return t('learn.missed_winner')
    return t('learn.missed')
  }

  async #reply(ticket: Ticket): Promise<void> {
    const { task } = this
    const { moves } = task
    try {
      const view = (await this.#scriptedReply(moves)) ?? (await this.#engineReply(moves))
      if (ticket.stale) return
      task.showReply([...moves, view.last?.text ?? ''], view)
      if (this.#isReached(this.board.goal, view)) this.#end('done', () => this.words('done'))
      else if (view.outcome) this.#end('missed', () => t('learn.missed'))
      else this.#makeRemark()
      if (this.#isShowing && task.stage === 'try') this.#performSolution()
    } catch (error) {
      if (ticket.stale) return
      this.#end('missed', () => errorWords(error))
    }
  }

  async #scriptedReply(moves: readonly string[]): Promise<PositionView | null> {
    const reply = this.board.answers?.[this.task.ownMoveCount - 1]
    if (!reply) return null
    try {
      return await this.#viewAfter([...moves, reply])
    } catch {
      // The reply belongs to another move than the one played.
      return null
    }
  }

  async #engineReply(moves: readonly string[]): Promise<PositionView> {
    const task = { start: this.task.start.text, turns: moves }
    const move = await this.enginePlayer(task, this.board.level ?? REPLY_LEVEL, moves.length)
    return this.#viewAfter([...moves, move])
  }

  /** Make the remark of a whole game on the position shown, if there is one. */
  #makeRemark(): void {
    const { view, announcer } = this.task.board
    const { moments = [] } = this.board
    const remark = moments.find(
      ({ say, when, again }) => (again || !this.#remarkKeys.has(say)) && this.#isReached(when, view),
    )
    if (!remark) return
    this.#remarkKeys = new Set([...this.#remarkKeys, remark.say])
    this.remark = () => this.words(remark.say)
    announcer.say(this.remark())
  }

  #end(stage: 'done' | 'missed', verdict: () => string): void {
    this.remark = NO_WORDS
    this.task.end(this.#isShowing && stage === 'done' ? 'shown' : stage, verdict)
    this.#isShowing = false
    if (this.task.board.view.outcome && this.board.moments) this.#makeRemark()
  }

  /** Find the solution's next step; off the solution, a connection, or else the move of an engine level. */
  async #findNextStep(): Promise<SolutionStep | null> {
    const { board, learner, position, moves, ownMoveCount } = this.task
    const { solution, goal } = this.board
    const text = goal.refused ? solution?.[0] : solution?.[ownMoveCount]
    const step = text ? readStep(text, board.view) : null
    if (step && (goal.refused || (step.move && isAllowed(step.move, board.shape, board.view)))) return step
    const connection = board.view.threats[learner].turns[0]
    if (connection) return readStep(connection, board.view)
    try {
      return readStep(await this.enginePlayer(position, HINT_LEVEL, moves.length), board.view)
    } catch {
      return null
    }
  }

  /** Show the solution, from the start. */
  showSolution(): void {
    this.reset()
    this.#isShowing = true
    this.#performSolution()
  }

  #performSolution(): void {
    const { board, ownMoveCount } = this.task
    const { solution = [], goal } = this.board
    for (const text of goal.refused ? solution : solution.slice(ownMoveCount, ownMoveCount + 1)) {
      for (const action of actionsOf(readStep(text, board.view), board.view)) board.moveEntry.act(action)
    }
  }

  reset(): void {
    this.remark = NO_WORDS
    this.#isShowing = false
    this.#selected = null
    this.#remarkKeys = new Set()
    this.task.reset()
    this.#makeRemark()
  }
}
