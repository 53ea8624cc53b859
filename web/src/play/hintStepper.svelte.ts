/**
 * The hint of a task, one step further at each request: the piece, then its space, then its heading. The move is
 * searched once, so that all steps are about the same move, and a request during the search counts, too.
 */
import { Latest, STALE } from '../requests/latest'
import { type Hint, hintOf, stepsOf } from './hints'
import type { MoveBoard } from './moveBoard.svelte'
import type { SolutionStep } from './solutionStep'
import type { Stage } from './taskBoard.svelte'

export class HintStepper {
  /** Whether the move to hint at is being searched. */
  isSearching = $state(false)
  #solution: SolutionStep | null = $state.raw(null)
  /** The number of steps requested so far. */
  #steps = $state(0)
  readonly #searches = new Latest()

  constructor(
    readonly board: MoveBoard,
    readonly stage: () => Stage,
    /** Finds the move to hint at; null if there is none. */
    readonly findNextStep: () => Promise<SolutionStep | null>,
  ) {}

  /** The hint as far as it was requested, in the language chosen when it is read. */
  readonly hint: Hint | null = $derived.by(() => {
    const solution = this.#solution
    return solution && hintOf(solution, Math.min(this.#steps, stepsOf(solution)), this.board.view)
  })

  /** Give the next step of the hint. */
  async give(): Promise<void> {
    if (this.stage() !== 'try') return
    this.#steps += 1
    // The search that is running shows all steps requested by its end.
    if (this.isSearching || !(this.#solution || (await this.#search()))) return
    if (this.hint) this.board.announcer.say(this.hint.words)
  }

  /** Search the move; returns whether it was found, and is still wanted. */
  async #search(): Promise<boolean> {
    this.isSearching = true
    const solution = await this.#searches
      .run(() => this.findNextStep())
      .catch((error: unknown) => {
        this.clear()
        throw error
      })
    if (solution === STALE) return false
    this.isSearching = false
    this.#solution = solution
    if (!solution) this.#steps = 0
    return solution !== null
  }

  /** Remove the hint, for another position is shown; the next one begins with its first step. */
  clear(): void {
    this.#searches.invalidate()
    this.isSearching = false
    this.#solution = null
    this.#steps = 0
  }
}
