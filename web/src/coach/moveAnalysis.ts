/**
 * The analysis of a move: the positions before and after it, the opponent's best reply, and the better move. Whatever
 * is said about a move is read from this, and from nothing else.
 */
import type { Colour, PositionView } from '../api/model'
import { other } from '../board/view/words'
import type { Insight, Kernel, Search } from '../kernel/kernel'
import { evaluate } from './gameReviewer.svelte'
import { type EvaluatedPosition, type Evaluation, evaluationOf } from './judgements'

/** A position with the kernel's insight. */
export interface InspectedPosition {
  readonly view: PositionView
  readonly insight: Insight
}

export interface MoveAnalysis {
  readonly colour: Colour
  /** The move's notation. */
  readonly move: string
  readonly before: InspectedPosition
  readonly after: InspectedPosition
  /** The player's evaluation before the move. */
  readonly evaluationBefore: Evaluation
  /** The opponent's evaluation after it; null without a search. */
  readonly evaluationAfter: Evaluation | null
  /** The opponent's best reply; null where the game is over, or without a search. */
  readonly reply: { readonly move: string; readonly position: InspectedPosition } | null
  /** The best move, and what it would have left the opponent; null where it was played. */
  readonly better: {
    readonly move: string
    readonly position: InspectedPosition
    readonly evaluation: Evaluation
  } | null
}

/** Inspect a position after moves, or as it is. */
export async function inspect(kernel: Kernel, text: string, ...turns: readonly string[]): Promise<InspectedPosition> {
  const [view, insight] = await Promise.all([kernel.view(text, turns), kernel.insight(text, turns)])
  return { view, insight }
}

/** Evaluates a position by a number of nodes; `onSearch` gets each search, to stop it. */
export type Evaluate = (view: PositionView) => Promise<EvaluatedPosition>

export function evaluator(kernel: Kernel, nodes: number, onSearch?: (search: Search) => void): Evaluate {
  return (view) => evaluate(kernel, view, nodes, onSearch)
}

/** Evaluate the position after the best move as long as the one after the move itself. */
export async function analyseBetter(
  kernel: Kernel,
  before: PositionView,
  best: string,
  evaluatePosition: Evaluate,
): Promise<MoveAnalysis['better']> {
  const position = await inspect(kernel, before.text, best)
  return { move: best, position, evaluation: evaluationOf(await evaluatePosition(position.view)) }
}

/** Analyse a move; `better` may be known from before. */
export async function analyseMove(
  kernel: Kernel,
  before: InspectedPosition,
  after: InspectedPosition,
  evaluationBefore: Evaluation,
  evaluatePosition: Evaluate,
  better: () => Promise<MoveAnalysis['better']> = async () =>
    evaluationBefore.best[0] ? analyseBetter(kernel, before.view, evaluationBefore.best[0], evaluatePosition) : null,
): Promise<MoveAnalysis> {
  const move = after.view.last?.text ?? ''
  const evaluationAfter = evaluationOf(await evaluatePosition(after.view))
  const reply = evaluationAfter.best[0]
  return {
    colour: other(after.view.turn),
    move,
    before,
    after,
    evaluationBefore,
    evaluationAfter,
    reply: reply ? { move: reply, position: await inspect(kernel, after.view.text, reply) } : null,
    better: move === evaluationBefore.best[0] ? null : await better(),
  }
}
