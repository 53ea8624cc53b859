/** The steps of a solution, moves and refused attempts, translated into actions on the board. */
import type { Kind, PositionView, SpaceName } from '../api/model'
import type { Action } from '../board/model/entry'
import { Legal, type Source } from '../board/model/legal'
import { readMove, type WrittenMove } from '../board/model/moves'
import type { Shape } from '../board/model/shape'
import { stacksOf, topOf } from '../board/model/stacks'

/** A piece, then the space of its PÜNCT, then its heading, as far as the step goes. */
export interface SolutionStep {
  /** A piece from the set. */
  readonly kind?: Kind
  /** A piece on the board: a space that it shows on. */
  readonly from?: SpaceName
  readonly to?: SpaceName
  /** Given if the step is a whole move. */
  readonly move?: WrittenMove
}

const TAPS = /^(?:([TCEMLR])|([a-q]\d+)(?:-|$))?([a-q]\d+)?$/

/** Read a step: a move, or else the piece and the space that are tapped; empty if it is neither. */
export function readStep(text: string, view: PositionView): SolutionStep {
  const move = readMove(text, view)
  if (move) {
    const { source, space } = move
    return source.from === 'set' ? { kind: source.kind, to: space, move } : { from: source.space, to: space, move }
  }
  const [, kind, from, to] = TAPS.exec(text) ?? []
  return { ...(kind && { kind: kind as Kind }), ...(from && { from }), ...(to && { to }) }
}

/** The actions on the board that perform a step. */
export function actionsOf({ kind, from, to, move }: SolutionStep, view: PositionView): Action[] {
  if (move) return [{ do: 'suggest', ...move }, { do: 'confirm' }]
  const actions: Action[] = []
  if (kind) actions.push({ do: 'take', kind, colour: view.turn })
  if (from) actions.push({ do: 'tap', space: from })
  if (to) actions.push({ do: 'tap', space: to })
  return actions
}

/** Whether a move is legal. */
export function isAllowed({ source, space, heading }: WrittenMove, shape: Shape, view: PositionView): boolean {
  return new Legal(shape, view.legal).targets(source).get(space)?.includes(heading) ?? false
}

/** The piece that a step begins with, and what to point at. */
export function pieceOf(
  { kind, from }: SolutionStep,
  view: PositionView,
): { source: Source | null; highlights: readonly string[] } {
  if (kind) return { source: { from: 'set', kind }, highlights: [] }
  const piece = from ? topOf(stacksOf(view), from) : undefined
  if (!piece) return { source: null, highlights: from ? [from] : [] }
  const { id, space } = piece
  return { source: { from: 'board', kind: piece.kind, piece: id, space }, highlights: [id] }
}
