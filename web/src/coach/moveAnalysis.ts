/**
 * A turn with everything that is known about it: what was there before, what it led to, how the other side would
 * answer, and what would have been better. Whatever is said about a turn is read from this, and from nothing else.
 */
import type { Colour, PositionView } from '../api/model'
import { other } from '../board/view/words'
import type { Insight, Kernel, Search } from '../kernel/kernel'
import { evaluate } from './gameReviewer.svelte'
import { type EvaluatedPosition, type Evaluation, evaluationOf } from './judgements'

/** A position as words are made from it. */
export interface InspectedPosition {
  readonly view: PositionView
  readonly insight: Insight
}

export interface MoveAnalysis {
  readonly colour: Colour
  /** As it is written. */
  readonly turn: string
  readonly before: InspectedPosition
  readonly after: InspectedPosition
  /** What there was for the player before the turn. */
  readonly had: Evaluation
  /** What the opponent has after it; null where nobody has looked. */
  readonly left: Evaluation | null
  /** How the opponent would answer; null where the game is over, or nobody has looked. */
  readonly answer: { readonly turn: string; readonly sight: InspectedPosition } | null
  /** The best turn there was, and what it would have left the opponent; null where it is the one that was played. */
  readonly better: { readonly turn: string; readonly sight: InspectedPosition; readonly left: Evaluation } | null
}

/** See a position after a turn, or as it is. */
export async function inspect(kernel: Kernel, text: string, ...turns: readonly string[]): Promise<InspectedPosition> {
  const [view, insight] = await Promise.all([kernel.view(text, turns), kernel.insight(text, turns)])
  return { view, insight }
}

/** Looks for so many nodes at whatever it is given; `begun` hears of each search, to end it. */
export type Evaluate = (view: PositionView) => Promise<EvaluatedPosition>

export function evaluator(kernel: Kernel, nodes: number, begun?: (search: Search) => void): Evaluate {
  return (view) => evaluate(kernel, view, nodes, begun)
}

/** What the best turn there was would have left the opponent, seen and looked at as long as the turn itself. */
export async function analyseBetter(
  kernel: Kernel,
  before: PositionView,
  best: string,
  look: Evaluate,
): Promise<MoveAnalysis['better']> {
  const sight = await inspect(kernel, before.text, best)
  return { turn: best, sight, left: evaluationOf(await look(sight.view)) }
}

/** Everything about a turn; `better` may be known from before. */
export async function analyseMove(
  kernel: Kernel,
  before: InspectedPosition,
  after: InspectedPosition,
  had: Evaluation,
  look: Evaluate,
  better: () => Promise<MoveAnalysis['better']> = async () =>
    had.best[0] ? analyseBetter(kernel, before.view, had.best[0], look) : null,
): Promise<MoveAnalysis> {
  const turn = after.view.last?.text ?? ''
  const left = evaluationOf(await look(after.view))
  const answer = left.best[0]
  return {
    colour: other(after.view.turn),
    turn,
    before,
    after,
    had,
    left,
    answer: answer ? { turn: answer, sight: await inspect(kernel, after.view.text, answer) } : null,
    better: turn === had.best[0] ? null : await better(),
  }
}
