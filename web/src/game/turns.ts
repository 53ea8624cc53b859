/** Turns as they are written, read back into what the board understands. */
import type { Heading, Kind, PositionView, SpaceName } from '../api/model'
import type { Source } from '../board/legal'

export interface WrittenTurn {
  readonly source: Source
  readonly space: SpaceName
  readonly heading: Heading
}

const ADD = /^([TCEMLR])([a-q]\d+)(n|ne|se|s|sw|nw)$/
const MOVE = /^([a-q]\d+)-([a-q]\d+)(n|ne|se|s|sw|nw)$/

/** The server's text of a turn in a position; undefined if no piece of that position fits it. */
export function readTurn(text: string, view: PositionView): WrittenTurn | undefined {
  const add = ADD.exec(text)
  if (add) {
    const [, kind, space, heading] = add
    return { source: { from: 'set', kind: kind as Kind }, space: space as SpaceName, heading: heading as Heading }
  }
  const [, origin, space, heading] = MOVE.exec(text) ?? []
  const piece = view.pieces.find((candidate) => candidate.space === origin && candidate.free)
  if (!piece) return undefined
  return {
    source: { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space },
    space: space as SpaceName,
    heading: heading as Heading,
  }
}
