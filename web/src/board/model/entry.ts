/**
 * Entering a move, headless: select a piece → its PÜNCT's space → its heading → confirm. `enter` is the only way an
 * entry changes. It is pure: it returns the next entry and, beside it, what the caller has to do (play a move, ask the
 * server why something is not allowed, show a notice). Mouse, touch, keyboard, dragging and buttons all produce the
 * same actions.
 */
import type { Colour, Heading, Kind, PositionView, SpaceName } from '../../api/model'
import { Legal, type Source } from './legal'
import { moveText, tapText } from './moves'
import { type Shape, rotateHeading } from './shape'
import { type Stacks, stacksOf, topOf } from './stacks'

export interface Entry {
  readonly source: Source | null
  /** Whose turn it was when the piece was selected. */
  readonly player: Colour | null
  /** The space under the pointer or the keyboard's focus: shows a ghost if the PÜNCT may go there. */
  readonly hover: SpaceName | null
  /** The space selected for the PÜNCT. */
  readonly target: SpaceName | null
  /** The heading that the player rotated the piece to last: it stays from space to space while it is allowed there. */
  readonly heading: Heading
  /** A move on its way to the server; nothing can be entered until the response. */
  readonly pendingMove: string | null
}

export const IDLE: Entry = { source: null, player: null, hover: null, target: null, heading: 'n', pendingMove: null }

/** What the entry depends on: the position, its legal moves, and the player's settings. */
export interface Situation {
  readonly shape: Shape
  readonly view: PositionView
  readonly stacks: Stacks
  readonly legal: Legal
  /** Who may enter a move at this screen now; null during somebody else's turn, or at an earlier position. */
  readonly player: Colour | null
  /** Whether a ghost has to be confirmed; otherwise one tap plays. */
  readonly mustConfirm: boolean
}

/** The situation of a position for whoever is at this screen. */
export function situationOf(shape: Shape, view: PositionView, player: Colour | null, mustConfirm: boolean): Situation {
  return { shape, view, stacks: stacksOf(view), legal: new Legal(shape, view.legal), player, mustConfirm }
}

export type Action =
  | { readonly do: 'take'; readonly kind: Kind; readonly colour: Colour }
  | { readonly do: 'tap'; readonly space: SpaceName; readonly snapped?: boolean }
  | { readonly do: 'hover'; readonly space: SpaceName | null }
  | { readonly do: 'rotate'; readonly steps: 1 | -1 }
  | { readonly do: 'head'; readonly heading: Heading; readonly snapped?: boolean }
  | { readonly do: 'lift' }
  | { readonly do: 'drop'; readonly space: SpaceName | null; readonly snapped?: boolean }
  | { readonly do: 'confirm' }
  | { readonly do: 'cancel' }
  | { readonly do: 'sync' }
  | { readonly do: 'answered' }
  | { readonly do: 'withdrawn' }
  /** The ghost's move is on its way already: since before the page was reloaded. */
  | { readonly do: 'send' }
  | { readonly do: 'resume'; readonly source: Source; readonly target: SpaceName | null; readonly heading: Heading }
  | { readonly do: 'suggest'; readonly source: Source; readonly space: SpaceName; readonly heading: Heading }

/**
 * A notice that follows from the view alone: whose piece may not be touched, which pieces lie on top, what was selected
 * instead.
 */
export interface Notice {
  readonly code: Refusal | 'chosen_instead'
  readonly kind?: Kind
  readonly space?: SpaceName
  readonly blockers?: readonly string[]
}

/** Why a piece cannot be selected. */
export type Refusal =
  'not_your_turn' | 'opponents_set' | 'none_left' | 'no_room' | 'opponents_piece' | 'pinned' | 'stuck'

export interface EntryResult {
  readonly entry: Entry
  readonly play?: string
  /** A piece and a space that do not go together, whatever the heading. */
  readonly explain?: string
  readonly notice?: Notice
}

/** The piece that would be placed: a preview under the pointer, or fixed on the selected space. */
export interface Ghost {
  readonly kind: Kind
  readonly space: SpaceName
  readonly heading: Heading
  /** The headings allowed on this space. */
  readonly headings: readonly Heading[]
  readonly isFixed: boolean
}

export function enter(entry: Entry, action: Action, situation: Situation): EntryResult {
  if (action.do === 'sync') return { entry: sync(entry, situation) }
  if (action.do === 'answered') return { entry: { ...entry, pendingMove: null } }
  // The move belonged to another position: its piece is no longer selected either.
  if (action.do === 'withdrawn') return { entry: entry.pendingMove ? { ...IDLE, hover: entry.hover } : entry }
  if (action.do === 'send') return { entry: markPending(entry, situation) }
  if (action.do === 'hover') return { entry: entry.hover === action.space ? entry : { ...entry, hover: action.space } }
  if (entry.pendingMove) return { entry }
  switch (action.do) {
    case 'take':
      return take(entry, action.kind, action.colour, situation)
    case 'tap':
      return tap(entry, action.space, action.snapped ?? false, situation)
    case 'rotate':
      return { entry: rotate(entry, action.steps, situation) }
    case 'head':
      return head(entry, action.heading, action.snapped ?? false, situation)
    case 'lift':
      return { entry: { ...entry, target: null, hover: entry.target } }
    case 'drop':
      return drop(entry, action.space, action.snapped ?? false, situation)
    case 'confirm':
      return confirm(entry, situation)
    case 'cancel':
      return { entry: cancel(entry) }
    case 'resume': {
      const { source, target, heading } = action
      return { entry: sync({ ...IDLE, source, player: situation.player, target, heading }, situation) }
    }
    case 'suggest':
      return suggest(entry, action, situation)
  }
}

/**
 * The piece that would be placed now; null while none is selected or the pointer is nowhere useful. Over the selected
 * piece's own PÜNCT there is no ghost either: a tap there puts the piece back.
 */
export function ghostOf(entry: Entry, situation: Situation): Ghost | null {
  const space = entry.target ?? (entry.hover === originSpace(entry) ? null : entry.hover)
  if (!entry.source || !space) return null
  const headings = situation.legal.targets(entry.source).get(space)
  if (!headings) return null
  const heading = nearest(entry.heading, headings)
  // A move on its way can no longer be rotated.
  const allowedHeadings = entry.pendingMove ? [heading] : headings
  return { kind: entry.source.kind, space, heading, headings: allowedHeadings, isFixed: entry.target !== null }
}

/** The step that the entry has reached, for prompts. */
export function stepOf(entry: Entry): 'choose' | 'place' | 'turn' | 'sent' {
  if (entry.pendingMove) return 'sent'
  if (entry.target) return 'turn'
  return entry.source ? 'place' : 'choose'
}

// Always the same array, so that nothing is drawn anew for it.
const NO_SPACES: readonly SpaceName[] = []

/** The spaces of the selected piece on the board; empty for one from the set. */
export function originOf(entry: Entry, situation: Situation): readonly SpaceName[] {
  const source = entry.source
  if (source?.from !== 'board') return NO_SPACES
  return situation.view.pieces.find((piece) => piece.id === source.piece)?.spaces ?? NO_SPACES
}

function take(entry: Entry, kind: Kind, colour: Colour, situation: Situation): EntryResult {
  if (!situation.player) return { entry, notice: { code: 'not_your_turn' } }
  if (colour !== situation.player) return { entry, notice: { code: 'opponents_set' } }
  if (entry.source?.from === 'set' && entry.source.kind === kind) return { entry: cancel(entry) }
  if (!situation.legal.canAdd(kind)) {
    return { entry, notice: { code: situation.view.sets[colour][kind] ? 'no_room' : 'none_left', kind } }
  }
  const source: Source = { from: 'set', kind }
  return { entry: { ...IDLE, source, player: situation.player, hover: entry.hover, heading: entry.heading } }
}

function tap(entry: Entry, space: SpaceName, snapped: boolean, situation: Situation): EntryResult {
  if (!entry.source) return choose(entry, space, situation)
  if (entry.target === space) {
    // A finger beside the ghost has not clearly meant the ghost.
    if (snapped) return { entry }
    return situation.mustConfirm ? { entry: rotate(entry, 1, situation) } : confirm(entry, situation)
  }
  if (space === originSpace(entry)) return { entry: cancel(entry) }
  const headings = situation.legal.targets(entry.source).get(space)
  if (headings) return aim(entry, space, headings, snapped, situation)
  if (originOf(entry, situation).includes(space)) return { entry: cancel(entry) }
  const otherPiece = topOf(situation.stacks, space)
  if (otherPiece?.colour === situation.player && situation.legal.canMove(otherPiece.space)) {
    const { entry: otherEntry } = choose(IDLE, space, situation)
    return { entry: otherEntry, notice: { code: 'chosen_instead', kind: otherPiece.kind, space: otherPiece.space } }
  }
  return { entry, explain: tapText(entry.source, space) }
}

/** Select the piece that shows on a space, by any of its dots. */
function choose(entry: Entry, space: SpaceName, situation: Situation): EntryResult {
  const piece = topOf(situation.stacks, space)
  if (!piece) return { entry }
  if (!situation.player) return { entry, notice: { code: 'not_your_turn' } }
  if (piece.colour !== situation.player) return { entry, notice: { code: 'opponents_piece', space } }
  if (!piece.free) {
    const blockers = piece.blocked_by.map((blocker) => blocker.piece)
    return { entry, notice: { code: 'pinned', space, blockers } }
  }
  if (!situation.legal.canMove(piece.space)) return { entry, notice: { code: 'stuck', space } }
  const source: Source = { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space }
  return { entry: { ...IDLE, source, player: situation.player, hover: entry.hover, heading: piece.heading } }
}

function aim(
  entry: Entry,
  space: SpaceName,
  headings: readonly Heading[],
  snapped: boolean,
  situation: Situation,
): EntryResult {
  // A ghost already drawn under the pointer is what the player saw; without one, only a single heading is certain.
  const isCertain = !snapped && (entry.hover === space || headings.length === 1)
  const aimedEntry = { ...entry, target: space, heading: nearest(entry.heading, headings) }
  return !situation.mustConfirm && isCertain ? confirm(aimedEntry, situation) : { entry: aimedEntry }
}

function head(entry: Entry, heading: Heading, snapped: boolean, situation: Situation): EntryResult {
  const ghost = ghostOf(entry, situation)
  if (!ghost?.isFixed || !ghost.headings.includes(heading)) return { entry }
  const rotatedEntry = { ...entry, heading }
  return situation.mustConfirm || snapped ? { entry: rotatedEntry } : confirm(rotatedEntry, situation)
}

function drop(entry: Entry, space: SpaceName | null, snapped: boolean, situation: Situation): EntryResult {
  if (!entry.source) return { entry }
  const headings = space && situation.legal.targets(entry.source).get(space)
  if (space && headings && space !== originSpace(entry)) return aim(entry, space, headings, snapped, situation)
  // On its own PÜNCT, or off the board, the piece is put back; over a space it may not have, it stays selected.
  if (!space || originOf(entry, situation).includes(space)) return { entry: cancel(entry) }
  return { entry, explain: tapText(entry.source, space) }
}

function confirm(entry: Entry, situation: Situation): EntryResult {
  const ghost = ghostOf(entry, situation)
  if (!entry.source || !ghost?.isFixed) return { entry }
  const play = moveText(entry.source, ghost.space, ghost.heading)
  return { entry: { ...entry, heading: ghost.heading, pendingMove: play }, play }
}

function markPending(entry: Entry, situation: Situation): Entry {
  const ghost = ghostOf(entry, situation)
  return entry.source && ghost ? { ...entry, pendingMove: moveText(entry.source, ghost.space, ghost.heading) } : entry
}

function suggest(
  entry: Entry,
  { source, space, heading }: { source: Source; space: SpaceName; heading: Heading },
  situation: Situation,
): EntryResult {
  const isAllowed = situation.legal.targets(source).get(space)?.includes(heading)
  return { entry: isAllowed ? { ...entry, source, player: situation.player, target: space, heading } : entry }
}

function cancel(entry: Entry): Entry {
  // A cancelled entry keeps nothing but where the pointer is.
  return { ...IDLE, hover: entry.hover }
}

/** Rotate the ghost to the next allowed heading. Without a target, a piece on the board rotates in place. */
function rotate(entry: Entry, steps: 1 | -1, situation: Situation): Entry {
  if (!entry.source) return entry
  const targets = situation.legal.targets(entry.source)
  const origin = originSpace(entry)
  const preview = entry.hover !== origin && entry.hover !== null && targets.has(entry.hover) ? entry.hover : null
  const space = entry.target ?? preview ?? origin
  const headings = (space && targets.get(space)) || situation.shape.headings(entry.source.kind)
  const isInPlace = space !== null && space === origin && targets.has(space)
  const startHeading = isInPlace && !entry.target ? entry.heading : nearest(entry.heading, headings)
  const heading = next(startHeading, steps, headings)
  return { ...entry, heading, target: isInPlace ? space : entry.target }
}

/** Keep the entry for a new position if it is still possible, else reset it. */
function sync(entry: Entry, situation: Situation): Entry {
  const source = entry.source
  const idle = { ...IDLE, hover: entry.hover }
  if (!source || !situation.player || situation.player !== entry.player) return idle
  if (source.from === 'board') {
    const piece = situation.view.pieces.find((candidate) => candidate.id === source.piece)
    if (piece?.space !== source.space) return idle
  }
  const targets = situation.legal.targets(source)
  if (!targets.size) return idle
  const target = entry.target && targets.has(entry.target) ? entry.target : null
  return { ...entry, target }
}

/** Where the PÜNCT of the selected piece lies; null for one from the set. */
export function originSpace(entry: Entry): SpaceName | null {
  return entry.source?.from === 'board' ? entry.source.space : null
}

/** The preferred heading if it is allowed, else the next one clockwise that is. */
function nearest(preferred: Heading, headings: readonly Heading[]): Heading {
  return headings.includes(preferred) ? preferred : next(preferred, 1, headings)
}

function next(from: Heading, steps: 1 | -1, headings: readonly Heading[]): Heading {
  for (let count = 1; count <= 6; count++) {
    const heading = rotateHeading(from, count * steps)
    if (headings.includes(heading)) return heading
  }
  return from
}
