/**
 * A position that is set up by hand: pieces of either colour, put anywhere they fit. Whether the position is possible,
 * the kernel decides; here it is only known which spaces a piece would lie on.
 */
import { type Colour, type Heading, type Kind, KINDS, type LegalTurns, type PositionView } from '../../api/model'
import { readMove } from '../../board/model/moves'
import type { Shape } from '../../board/model/shape'

/** A piece; those that lie on others come after them. */
interface PlacedPiece {
  readonly colour: Colour
  readonly kind: Kind
  readonly space: string
  readonly heading: Heading
}

export interface Setup {
  readonly rules: PositionView['rules']
  readonly turn: Colour
  readonly pieces: readonly PlacedPiece[]
}

export function setupOf(view: PositionView): Setup {
  const pieces = [...view.pieces].sort((a, b) => a.level - b.level)
  return {
    rules: view.rules,
    turn: view.turn,
    pieces: pieces.map(({ colour, kind, space, heading }) => ({ colour, kind, space, heading })),
  }
}

/** The text of a position. */
export function setupText({ rules, turn, pieces }: Setup): string {
  const pieceTexts = pieces.map(({ colour, kind, space, heading }) => `${colour}${kind}${space}${heading}`)
  return [rules, turn, ...pieceTexts].join(' ')
}

function without(pieces: readonly PlacedPiece[], space: string, kind: Kind): readonly PlacedPiece[] {
  // Of two PÜNCTs over one space, the upper one is removed: it was placed later.
  const index = pieces.findLastIndex((piece) => piece.space === space && piece.kind === kind)
  return pieces.filter((_, i) => i !== index)
}

/** The setup with a piece placed or moved, by a move's text. */
export function withPiece(setup: Setup, view: PositionView, text: string, colour: Colour): Setup {
  const move = readMove(text, view)
  if (!move) return setup
  const { source, space, heading } = move
  const rest = source.from === 'set' ? setup.pieces : without(setup.pieces, source.space, source.kind)
  const owner = view.pieces.find((piece) => source.from === 'board' && piece.id === source.piece)?.colour ?? colour
  return { ...setup, pieces: [...rest, { colour: owner, kind: source.kind, space, heading }] }
}

/** The setup without a piece. */
export function withoutPiece(setup: Setup, space: string, kind: Kind): Setup {
  return { ...setup, pieces: without(setup.pieces, space, kind) }
}

/** All placements of a colour's pieces on the board, in the format of the legal moves. */
export function placements(shape: Shape, view: PositionView, colour: Colour): LegalTurns {
  const masksByKind = new Map<Kind, Partial<Record<Heading, string>>>()
  const masks = (kind: Kind): Partial<Record<Heading, string>> => {
    let kindMasks = masksByKind.get(kind)
    if (!kindMasks) masksByKind.set(kind, (kindMasks = masksOf(shape, kind)))
    return kindMasks
  }
  const adds = KINDS.filter((kind) => view.sets[colour][kind] > 0).map((kind) => [kind, masks(kind)] as const)
  const moves = view.pieces
    .filter((piece) => piece.colour === colour && piece.free)
    .map((piece) => [piece.space, masks(piece.kind)] as const)
  return { ...view.legal, adds: Object.fromEntries(adds), moves: Object.fromEntries(moves) }
}

function masksOf(shape: Shape, kind: Kind): Partial<Record<Heading, string>> {
  const masks: Partial<Record<Heading, string>> = {}
  for (const heading of shape.headings(kind)) {
    masks[heading] = shape.pack(shape.spaces.filter((space) => shape.footprint(kind, space.name, heading)))
  }
  return masks
}
