/** A connection that somebody could make with the next move, as shown on the board. */
import type { Colour, PositionView, SpaceName } from '../../api/model'
import { readMove, type WrittenMove } from './moves'

export interface Threat {
  /** Whether it is the player's own chance. */
  readonly isOwn: boolean
  readonly colour: Colour
  /** The first of the moves that would connect; its chain is the one shown. */
  readonly move: WrittenMove
  /** Other spaces where a PÜNCT would connect. */
  readonly otherSpaces: readonly SpaceName[]
  readonly chain: readonly SpaceName[]
}

/** How a colour would connect with its next move; null if it could not. `isOwn` if that is the player's colour. */
export function threatOf(view: PositionView, colour: Colour, isOwn: boolean): Threat | null {
  const moves = view.threats[colour].turns.flatMap((text) => readMove(text, view) ?? [])
  const move = moves[0]
  if (!move) return null
  const otherSpaces = new Set(moves.map(({ space }) => space))
  otherSpaces.delete(move.space)
  return { isOwn, colour, move, otherSpaces: [...otherSpaces], chain: view.threats[colour].chain }
}

/** The threat to show a player: how to win at once, or else how the opponent would. */
export function threatFor(view: PositionView, player: Colour): Threat | null {
  return threatOf(view, player, true) ?? threatOf(view, player === 'w' ? 'b' : 'w', false)
}
