/** Turns as they are written: made from what the board understands, and read back into it. */
import type { Heading, Kind, LastTurn, PositionView, SpaceName, TurnView } from '../../api/model'
import type { Source } from './legal'

export interface WrittenMove {
  readonly source: Source
  readonly space: SpaceName
  readonly heading: Heading
}

/** As much of a turn as it takes to tell it in words. */
export type DescribedMove = Pick<LastTurn, 'colour' | 'kind' | 'manner' | 'origin' | 'space' | 'heading' | 'level'>

const ADD = /^([TCEMLR])([a-q]\d+)(n|ne|se|s|sw|nw)$/
const MOVE = /^([a-q]\d+)-([a-q]\d+)(n|ne|se|s|sw|nw)$/

/** The turn as it is written. */
export function moveText(source: Source, space: SpaceName, heading: Heading): string {
  return `${tapText(source, space)}${heading}`
}

/** A piece and a space, as they are written when the heading does not matter. */
export function tapText(source: Source, space: SpaceName): string {
  return source.from === 'set' ? `${source.kind}${space}` : `${source.space}-${space}`
}

/** A turn of a game's list, with what its text says. */
export function describedMove({ text, colour, kind, manner, level }: TurnView): DescribedMove {
  const [, , to, towards] = ADD.exec(text) ?? []
  const [, from, space = to, heading = towards] = MOVE.exec(text) ?? []
  return { colour, kind, manner, level, origin: from ?? null, space: space ?? '', heading: heading as Heading }
}

/** The server's text of a turn in a position; undefined if no piece of that position fits it. */
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
