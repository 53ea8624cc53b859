/** The hint of a task, one step further at each request: the piece, then its space, then its heading. */
import { Latest, STALE } from '../requests/latest'
import { type Hint, hintOf, stepsOf } from './hints'
import type { MoveBoard } from './moveBoard.svelte'
import type { SolutionStep } from './solutionStep'
import type { Stage } from './taskBoard.svelte'

export class HintStepper {
  hint: Hint | null = $state.raw(null)
  readonly #requests: Latest
  #steps = 0

  constructor(
    readonly board: MoveBoard,
    readonly stage: () => Stage,
    /** Finds the move to hint at; null if there is none. */
    readonly findNextStep: () => Promise<SolutionStep | null>,
  ) {
    this.#requests = new Latest(() => [board.view, stage()])
  }

  /** Give the next step of the hint. */
  async give(): Promise<void> {
    const { board } = this
    const solution = await this.#requests.run(() => this.findNextStep())
    if (solution === STALE || this.stage() !== 'try' || !solution) return
    this.#steps = Math.min(this.#steps + 1, stepsOf(solution))
    this.hint = hintOf(solution, this.#steps, board.view)
    board.announcer.say(this.hint.words)
  }

  /** Remove the hint; the next one begins with its first step. */
  clear(): void {
    this.#requests.invalidate()
    this.hint = null
    this.#steps = 0
  }
}
