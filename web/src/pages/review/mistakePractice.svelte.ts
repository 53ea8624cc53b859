/** Practice on the mistakes of a game: the position before each of them, and moves judged as in the review. */
import { SvelteSet } from 'svelte/reactivity'
import type { Colour, PositionView, Remark } from '../../api/model'
import { evaluate } from '../../coach/gameReviewer.svelte'
import {
  badMoves,
  type Evaluation,
  evaluationBefore,
  evaluationOf,
  remarkOn,
  type ReviewResult,
} from '../../coach/judgements'
import type { Kernel, Task } from '../../kernel/kernel'
import { kernelJudge } from '../../play/judge'
import { type BoardSetup, MoveBoard } from '../../play/moveBoard.svelte'
import { Latest, STALE } from '../../requests/latest'

/** The judgement of a try. */
export interface Verdict {
  readonly turn: string
  /** It is the best move, or gives away too little to be judged a mistake. */
  readonly good: boolean
  readonly best: boolean
  /** It is the move of the game. */
  readonly again: boolean
  readonly remark: Remark
  /** The evaluation before the move. */
  readonly evaluationBefore: Evaluation
  /** The opponent's best reply, and how it goes on. */
  readonly answer: readonly string[]
}

/** `find`: it is the player's turn; `judging`: a try is being judged; then a verdict, or the solution. */
export type Stage = 'find' | 'judging' | 'tried' | 'shown' | 'done'

/** The reviewed game, and how thoroughly tries are judged. */
export interface PracticeSource {
  readonly kernel: Kernel
  readonly game: Task
  readonly review: ReviewResult
  readonly nodes: number
}

export class MistakePractice {
  stage: Stage = $state('find')
  verdict: Verdict | null = $state.raw(null)
  /** Which of the mistakes is on the board. */
  index = $state(0)
  readonly board: MoveBoard
  /** The indices of the mistakes solved without help, and of those whose solution was shown. */
  readonly #solved = new SvelteSet<number>()
  readonly #shownSolutions = new Set<number>()
  #moves: readonly string[] = $state.raw([])
  /** How many moves of the solution are on the board, or will be once their position is known. */
  #solutionCount = 0
  /** The position that is being set up, or the try that is being judged. */
  readonly #requests = new Latest()

  private constructor(
    setup: Omit<BoardSetup, 'judge'>,
    readonly source: PracticeSource,
    readonly mistakes: readonly Remark[],
  ) {
    this.#moves = this.#movesBefore
    this.board = new MoveBoard(
      { ...setup, judge: kernelJudge(source.kernel) },
      {
        position: () => ({ start: source.game.start, turns: this.#moves }),
        canPlay: () => this.stage === 'find',
        onPlayed: (text, view) => this.#onPlayed(text, view),
      },
    )
  }

  /** Begin with the first mistake of a colour; null if there is none. */
  static async of(
    source: PracticeSource,
    colour: Colour,
    setup: Omit<BoardSetup, 'judge' | 'view'>,
  ): Promise<MistakePractice | null> {
    const mistakes = badMoves(source.review, colour)
    const first = mistakes[0]
    if (!first) return null
    const { start, turns } = source.game
    const view = await source.kernel.view(start, turns.slice(0, first.ply))
    return new MistakePractice({ ...setup, view }, source, mistakes)
  }

  /** The move of the game for which a better one is to be found. */
  get mistake(): Remark {
    const mistake = this.mistakes[this.index] ?? this.mistakes.at(-1)
    if (!mistake) throw new RangeError('there are no mistakes to practise')
    return mistake
  }

  get #movesBefore(): readonly string[] {
    return this.source.game.turns.slice(0, this.mistake.ply)
  }

  /** The evaluation before the mistake. */
  readonly evaluation: Evaluation = $derived.by(() => evaluationBefore(this.source.review, this.mistake.ply))

  /** The moves on the board since the position before the mistake. */
  readonly triedMoves: readonly string[] = $derived.by(() => this.#moves.slice(this.mistake.ply))

  #onPlayed(text: string, view: PositionView): void {
    this.#moves = [...this.#moves, text]
    this.#solutionCount = 0
    this.stage = 'judging'
    void this.#judge(text, view)
  }

  async #judge(move: string, view: PositionView): Promise<void> {
    const { ply, colour } = this.mistake
    const { kernel, nodes } = this.source
    try {
      const evaluatedPosition = await this.#requests.run(() => evaluate(kernel, view, nodes))
      if (evaluatedPosition === STALE) return
      const remark = remarkOn(this.evaluation, ply, colour, move, evaluatedPosition)
      this.verdict = {
        turn: move,
        good: remark.judgement === null,
        best: move === this.evaluation.best[0],
        again: move === this.mistake.turn,
        remark,
        evaluationBefore: this.evaluation,
        answer: evaluationOf(evaluatedPosition).best,
      }
      if (this.verdict.good && !this.#shownSolutions.has(this.index)) this.#solved.add(this.index)
      this.stage = 'tried'
    } catch (error) {
      await this.retry()
      this.board.sayError(error)
    }
  }

  /** How many mistakes were solved without help. */
  get solvedCount(): number {
    return this.#solved.size
  }

  retry(): Promise<void> {
    return this.#setUp(0)
  }

  /** Show the best variation on the board, one move more with each call. */
  async showSolution(): Promise<void> {
    this.#shownSolutions.add(this.index)
    await this.#setUp(this.#solutionCount + 1)
  }

  /** Whether more of the solution can be shown. */
  readonly hasMore: boolean = $derived.by(
    () => this.stage === 'shown' && this.triedMoves.length < this.evaluation.best.length,
  )

  /** Go on with the next mistake; the practice is done after the last one. */
  async next(): Promise<void> {
    if (this.index + 1 >= this.mistakes.length) {
      this.board.withdraw()
      this.#requests.invalidate()
      this.stage = 'done'
      this.verdict = null
      return
    }
    this.index += 1
    await this.#setUp(0)
  }

  /** Begin again with the first mistake. */
  async restart(): Promise<void> {
    this.index = 0
    this.#solved.clear()
    this.#shownSolutions.clear()
    await this.#setUp(0)
  }

  /** Show the position before the mistake, or after so many moves of its solution. */
  async #setUp(solutionCount: number): Promise<void> {
    const { board } = this
    const moves = [...this.#movesBefore, ...this.evaluation.best.slice(0, solutionCount)]
    this.#solutionCount = solutionCount
    board.withdraw()
    try {
      const view = await this.#requests.run(() => board.viewAfter(moves))
      if (view === STALE) return
      this.#moves = moves
      this.stage = solutionCount ? 'shown' : 'find'
      this.verdict = null
      board.message = null
      board.refusal = null
      board.show(view)
    } catch (error) {
      this.#solutionCount = this.stage === 'shown' ? this.triedMoves.length : 0
      board.sayError(error)
    }
  }
}
