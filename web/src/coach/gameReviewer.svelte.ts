/** Evaluates a finished game position by position, with the kernel in the page; it can be stopped and resumed. */
import type { Colour, PositionView } from '../api/model'
import type { Kernel, Search } from '../kernel/kernel'
import { type EvaluatedPosition, reviewOf, type ReviewResult } from './judgements'

/** Nodes for each position, by default. */
export const NODES = 2000
/** A deeper review searches so many times as many nodes. */
export const DEEPER_FACTOR = 4
export const MAX_NODES = 1_000_000

/** A position of a game, with what a review needs. */
export type ReviewPosition = Pick<PositionView, 'text' | 'turn' | 'centre'> & {
  readonly outcome: { readonly winner: Colour | null } | null
}

/** Every position of a game, from the start to the end. */
export function positionsOf(kernel: Kernel, start: string, turns: readonly string[]): Promise<ReviewPosition[]> {
  return Promise.all(
    Array.from({ length: turns.length + 1 }, async (_, ply) => {
      const { text, turn, centre, outcome } = await kernel.view(start, turns.slice(0, ply))
      return { text, turn, centre, outcome }
    }),
  )
}

/** Evaluate one position; `onSearch` gets the search, to stop it. */
export async function evaluate(
  kernel: Kernel,
  { text, turn, outcome }: Pick<ReviewPosition, 'text' | 'turn' | 'outcome'>,
  nodes: number,
  onSearch?: (search: Search) => void,
): Promise<EvaluatedPosition> {
  if (outcome) return { turn, over: { winner: outcome.winner }, best: null }
  // The position alone, as `punct analyse` searches it: how it came about does not change what is best.
  const search = kernel.search({ start: text, turns: [] }, { nodes })
  onSearch?.(search)
  const { variations } = await search.result
  const best = variations[0]
  if (!best) throw new RangeError(`nothing was found in ${text}`)
  const { move, score, proven, pv } = best
  return { turn, over: null, best: { move, score, proven, pv } }
}

export class GameReviewer {
  /** The evaluations so far, position by position from the start on. */
  evaluations: readonly EvaluatedPosition[] = $state.raw([])
  isRunning = $state(false)
  #search: Search | null = null
  /** Grows with every stop: a search begun before is stale. */
  #stopCount = 0

  constructor(
    readonly kernel: Kernel,
    readonly turns: readonly string[],
    readonly positions: readonly ReviewPosition[],
    readonly nodes: number,
    evaluations: readonly EvaluatedPosition[] = [],
  ) {
    this.evaluations = evaluations
  }

  readonly isFinished: boolean = $derived.by(() => this.evaluations.length === this.positions.length)
  /** The review as far as it has come. */
  readonly review: ReviewResult | null = $derived.by(() => reviewOf(this.turns, this.evaluations))

  /** Evaluate the remaining positions; returns whether all are evaluated in the end. */
  async run(onProgress?: (evaluations: readonly EvaluatedPosition[]) => void): Promise<boolean> {
    if (this.isRunning) return false
    const stopCount = this.#stopCount
    this.isRunning = true
    try {
      for (let position = this.#nextPosition; position; position = this.#nextPosition) {
        const evaluated = await evaluate(this.kernel, position, this.nodes, (search) => (this.#search = search))
        // The position it was stopped at has not been searched as long as the others.
        if (stopCount !== this.#stopCount) return false
        this.evaluations = [...this.evaluations, evaluated]
        onProgress?.(this.evaluations)
      }
      return true
    } finally {
      if (stopCount === this.#stopCount) {
        this.#search = null
        this.isRunning = false
      }
    }
  }

  stop(): void {
    this.#stopCount += 1
    this.#search?.stop()
    this.#search = null
    this.isRunning = false
  }

  get #nextPosition(): ReviewPosition | undefined {
    return this.positions[this.evaluations.length]
  }
}
