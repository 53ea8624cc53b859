/** A variation that shows the reasons: position after position, to be stepped through. */
import type { PositionView } from '../api/model'
import type { Kernel } from '../kernel/kernel'
import type { Advice } from './advisor'
import { MAX_VARIATION } from './judgements'
import type { Evaluate } from './moveAnalysis'

/** The start of the variation, its known moves, and its length. */
interface VariationPlan {
  readonly view: PositionView
  readonly moves: readonly string[]
  readonly plies: number
}

/** A missed win is shown from before the move; all else from after it. */
export function variationStart({ analysis, severeFact }: Advice): VariationPlan {
  const { before, after, evaluationBefore, evaluationAfter } = analysis
  switch (severeFact.fact) {
    case 'could_connect':
      return { view: before.view, moves: [severeFact.turn], plies: 1 }
    case 'could_count':
      return { view: before.view, moves: [], plies: 1 }
    case 'could_force':
      return {
        view: before.view,
        moves: evaluationBefore.best,
        plies: Math.min(evaluationBefore.proven, MAX_VARIATION),
      }
    case 'connects':
      return { view: after.view, moves: [severeFact.turn], plies: 1 }
    case 'counts':
      return { view: after.view, moves: [], plies: 1 }
    case 'forced':
      return {
        view: after.view,
        moves: evaluationAfter?.best ?? [],
        plies: Math.min(evaluationAfter?.proven ?? 0, MAX_VARIATION),
      }
    default:
      return { view: after.view, moves: evaluationAfter?.best ?? [], plies: evaluationAfter?.best.length ?? 0 }
  }
}

/**
 * The positions of a variation, the first one included. Where the search has proven a win without seeing all of it,
 * each next move is searched: the best for the side to move, so that the defence lasts as long as it can.
 */
export async function variationPositions(
  kernel: Kernel,
  advice: Advice,
  evaluatePosition: Evaluate,
): Promise<PositionView[]> {
  const { view, moves, plies } = variationStart(advice)
  const positions = [view]
  const playedMoves: string[] = []
  for (let current = view; !current.outcome && playedMoves.length < plies;) {
    const next = moves[playedMoves.length] ?? (await evaluatePosition(current)).best?.move
    if (!next) break
    playedMoves.push(next)
    current = await kernel.view(view.text, playedMoves)
    positions.push(current)
  }
  return positions
}
