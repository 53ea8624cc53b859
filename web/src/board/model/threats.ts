/** A connection somebody could make with the next turn, as it can be shown on the board. */
import type { Colour, PositionView, SpaceName } from '../../api/model'
import { readMove, type WrittenMove } from './moves'

export interface Threat {
  /** It is a chance of the player's own. */
  readonly own: boolean
  readonly colour: Colour
  /** The first of the turns that would do it; its chain is the one shown. */
  readonly first: WrittenMove
  /** Where else a PÜNCT would do it. */
  readonly others: readonly SpaceName[]
  readonly chain: readonly SpaceName[]
}

/** How a colour would connect with its next turn; null if it could not. `own` where whoever looks would do it. */
export function threatOf(view: PositionView, colour: Colour, own: boolean): Threat | null {
  const turns = view.threats[colour].turns.flatMap((text) => readMove(text, view) ?? [])
  const first = turns[0]
  if (!first) return null
  const others = new Set(turns.map(({ space }) => space))
  others.delete(first.space)
  return { own, colour, first, others: [...others], chain: view.threats[colour].chain }
}

/** What a player had better see: how to win at once, or else how the opponent would. */
export function threatFor(view: PositionView, player: Colour): Threat | null {
  return threatOf(view, player, true) ?? threatOf(view, player === 'w' ? 'b' : 'w', false)
}
