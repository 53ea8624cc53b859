/** A finished game looked at position by position, by the kernel in the page; it can be stopped, and goes on. */
import type { Colour, PositionView } from '../api/model'
import type { Kernel, Search } from '../kernel/kernel'
import { type EvaluatedPosition, reviewOf, type ReviewResult } from './judgements'

/** Nodes for each position, unless somebody wants more or fewer. */
export const NODES = 2000
/** Whoever wants a closer look gets so many times as many. */
export const DEEPER_FACTOR = 4
export const MAX_NODES = 1_000_000

/** One moment of a game, as much of it as a review needs. */
export type ReviewPosition = Pick<PositionView, 'text' | 'turn' | 'centre'> & {
  readonly outcome: { readonly winner: Colour | null } | null
}

/** Every moment of a game, from the start to the end. */
export function positionsOf(kernel: Kernel, start: string, turns: readonly string[]): Promise<ReviewPosition[]> {
  return Promise.all(
    Array.from({ length: turns.length + 1 }, async (_, ply) => {
      const { text, turn, centre, outcome } = await kernel.view(start, turns.slice(0, ply))
      return { text, turn, centre, outcome }
    }),
  )
}

/** Look at one position; `begun` hears of the search, to end it. */
export async function evaluate(
  kernel: Kernel,
  { text, turn, outcome }: Pick<ReviewPosition, 'text' | 'turn' | 'outcome'>,
  nodes: number,
  begun?: (search: Search) => void,
): Promise<EvaluatedPosition> {
  if (outcome) return { turn, over: { winner: outcome.winner }, best: null }
  // The position alone, as `punct analyse` gives it: how it came about does not change what is best.
  const search = kernel.search({ start: text, turns: [] }, { nodes })
  begun?.(search)
  const { variations } = await search.result
  const best = variations[0]
  if (!best) throw new RangeError(`nothing was found in ${text}`)
  const { move, score, proven, pv } = best
  return { turn, over: null, best: { move, score, proven, pv } }
}

export class GameReviewer {
  /** What was found, position by position from the start on. */
  evaluations: readonly EvaluatedPosition[] = $state.raw([])
  running = $state(false)
  #search: Search | null = null
  /** Grows whenever it is stopped: what was begun before is no longer wanted. */
  #stops = 0

  constructor(
    readonly kernel: Kernel,
    readonly turns: readonly string[],
    readonly positions: readonly ReviewPosition[],
    readonly nodes: number,
    evaluations: readonly EvaluatedPosition[] = [],
  ) {
    this.evaluations = evaluations
  }

  readonly finished: boolean = $derived.by(() => this.evaluations.length === this.positions.length)
  /** As far as it has come. */
  readonly review: ReviewResult | null = $derived.by(() => reviewOf(this.turns, this.evaluations))

  /** Look at what has not been looked at; returns whether all has been in the end. */
  async run(told?: (evaluations: readonly EvaluatedPosition[]) => void): Promise<boolean> {
    if (this.running) return false
    const stops = this.#stops
    this.running = true
    try {
      for (let moment = this.#next; moment; moment = this.#next) {
        const found = await evaluate(this.kernel, moment, this.nodes, (search) => (this.#search = search))
        // What it was stopped at has not been looked at as long as the others.
        if (stops !== this.#stops) return false
        this.evaluations = [...this.evaluations, found]
        told?.(this.evaluations)
      }
      return true
    } finally {
      if (stops === this.#stops) {
        this.#search = null
        this.running = false
      }
    }
  }

  stop(): void {
    this.#stops += 1
    this.#search?.stop()
    this.#search = null
    this.running = false
  }

  get #next(): ReviewPosition | undefined {
    return this.positions[this.evaluations.length]
  }
}
