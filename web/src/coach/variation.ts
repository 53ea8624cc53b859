/** How it could go on: position after position, to be stepped through. */
import type { PositionView } from '../api/model'
import type { Kernel } from '../kernel/kernel'
import type { Advice } from './advisor'
import { MAX_VARIATION } from './judgements'
import type { Evaluate } from './moveAnalysis'

/** Where the showing begins, what is known to follow, and how far it is to be followed. */
interface Beginning {
  readonly view: PositionView
  readonly turns: readonly string[]
  readonly plies: number
}

/** A win that was missed is shown from before the turn; all else from after it. */
export function variationStart({ about, grave }: Advice): Beginning {
  const { before, after, had, left } = about
  switch (grave.fact) {
    case 'could_connect':
      return { view: before.view, turns: [grave.turn], plies: 1 }
    case 'could_count':
      return { view: before.view, turns: [], plies: 1 }
    case 'could_force':
      return { view: before.view, turns: had.best, plies: Math.min(had.proven, MAX_VARIATION) }
    case 'connects':
      return { view: after.view, turns: [grave.turn], plies: 1 }
    case 'counts':
      return { view: after.view, turns: [], plies: 1 }
    case 'forced':
      return { view: after.view, turns: left?.best ?? [], plies: Math.min(left?.proven ?? 0, MAX_VARIATION) }
    default:
      return { view: after.view, turns: left?.best ?? [], plies: left?.best.length ?? 0 }
  }
}

/**
 * The positions of a line, the first one included. Where the search has proved a win without seeing all of it, each
 * next turn is looked for: the best for whoever is to move, so that the defence lasts as long as it can.
 */
export async function variationPositions(kernel: Kernel, advice: Advice, look: Evaluate): Promise<PositionView[]> {
  const { view, turns, plies } = variationStart(advice)
  const line = [view]
  const played: string[] = []
  for (let now = view; !now.outcome && played.length < plies;) {
    const next = turns[played.length] ?? (await look(now)).best?.move
    if (!next) break
    played.push(next)
    now = await kernel.view(view.text, played)
    line.push(now)
  }
  return line
}
