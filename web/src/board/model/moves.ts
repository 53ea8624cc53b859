/** The notation of moves: written from what the board has, and parsed. */
import type { Heading, Kind, LastTurn, PositionView, SpaceName, TurnView } from '../../api/model'
import type { Source } from './legal'

export interface WrittenMove {
  readonly source: Source
  readonly space: SpaceName
  readonly heading: Heading
}

/** The parts of a move that are needed to describe it in words. */
export type DescribedMove = Pick<LastTurn, 'colour' | 'kind' | 'manner' | 'origin' | 'space' | 'heading' | 'level'>

const ADD = /^([TCEMLR])([a-q]\d+)(n|ne|se|s|sw|nw)$/
const MOVE = /^([a-q]\d+)-([a-q]\d+)(n|ne|se|s|sw|nw)$/

/** The notation of a move. */
export function moveText(source: Source, space: SpaceName, heading: Heading): string {
  return `${tapText(source, space)}${heading}`
}

/** The notation of a piece and a space, when the heading does not matter. */
export function tapText(source: Source, space: SpaceName): string {
  return source.from === 'set' ? `${source.kind}${space}` : `${source.space}-${space}`
}

/** Describe a move of a game's list from its text. */
export function describedMove({ text, colour, kind, manner, level }: TurnView): DescribedMove {
  const [, , addedSpace, addedHeading] = ADD.exec(text) ?? []
  const [, from, space = addedSpace, heading = addedHeading] = MOVE.exec(text) ?? []
  return { colour, kind, manner, level, origin: from ?? null, space: space ?? '', heading: heading as Heading }
}

/** Parse a move in a position; undefined if no piece of that position fits it. */
export function readMove(text: string, view: PositionView): WrittenMove | undefined {
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
