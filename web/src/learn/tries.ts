/** What a solution is made of: turns, and what is tapped to be refused; read into what the board understands. */
import type { Action } from '../board/model/entry'
import { Legal, type Source } from '../board/model/legal'
import type { Shape } from '../board/model/shape'
import { stacksOf, topOf } from '../board/model/stacks'
import { readTurn, type WrittenTurn } from '../board/model/turns'
import type { Kind, PositionView, SpaceName } from '../net/model'

/** A try: the piece it begins with, then its PÜNCT's space, then its heading, as far as it goes. */
export interface Try {
  /** From the set. */
  readonly kind?: Kind
  /** On the board: a space that the piece shows on. */
  readonly from?: SpaceName
  readonly to?: SpaceName
  /** It is a whole turn. */
  readonly turn?: WrittenTurn
}

const TAPPED = /^(?:([TCEMLR])|([a-q]\d+)(?:-|$))?([a-q]\d+)?$/

/** Read a try; a turn that no piece fits has neither beginning nor end. */
export function readTry(text: string, view: PositionView): Try {
  const turn = readTurn(text, view)
  if (turn) {
    const { source, space } = turn
    return source.from === 'set' ? { kind: source.kind, to: space, turn } : { from: source.space, to: space, turn }
  }
  const [, kind, from, to] = TAPPED.exec(text) ?? []
  return { ...(kind && { kind: kind as Kind }), ...(from && { from }), ...(to && { to }) }
}

/** What somebody does at the board to try it. */
export function actionsOf({ kind, from, to, turn }: Try, view: PositionView): Action[] {
  if (turn) return [{ do: 'suggest', ...turn }, { do: 'confirm' }]
  const actions: Action[] = []
  if (kind) actions.push({ do: 'take', kind, colour: view.turn })
  if (from) actions.push({ do: 'tap', space: from })
  if (to) actions.push({ do: 'tap', space: to })
  return actions
}

/** Whether a turn is among those allowed. */
export function isAllowed({ source, space, heading }: WrittenTurn, shape: Shape, view: PositionView): boolean {
  return new Legal(shape, view.legal).targets(source).get(space)?.includes(heading) ?? false
}

/** The piece a try begins with: what it is, and what to point at. */
export function beginningOf(tried: Try, view: PositionView): { source: Source | null; pointed: readonly string[] } {
  if (tried.kind) return { source: { from: 'set', kind: tried.kind }, pointed: [] }
  const piece = tried.from ? topOf(stacksOf(view), tried.from) : undefined
  if (!piece) return { source: null, pointed: tried.from ? [tried.from] : [] }
  const { id, kind, space } = piece
  return { source: { from: 'board', kind, piece: id, space }, pointed: [id] }
}
