/**
 * Entering a turn, headless: choose a piece → its PÜNCT's space → its heading → confirm.
 *
 * `enter` is the only way an entry changes. It is pure: it returns the next entry and, beside it, what the outside has
 * to do (play a turn, ask the server why something is not allowed, tell the player something). Mouse, touch, keyboard,
 * dragging and buttons all come down to the same actions.
 */
import type { Colour, Heading, Kind, PositionView, SpaceName } from '../../api/model'
import { Legal, type Source } from './legal'
import { moveText, tapText } from './moves'
import { type Shape, turned } from './shape'
import { type Stacks, stacksOf, topOf } from './stacks'

export interface Entry {
  readonly source: Source | null
  /** Whose turn it was when the piece was chosen. */
  readonly player: Colour | null
  /** The space under the pointer or the keyboard's focus: shows a ghost if the PÜNCT may go there. */
  readonly hover: SpaceName | null
  /** The space that was picked for the PÜNCT. */
  readonly target: SpaceName | null
  /** How the player last turned the piece: kept from space to space as long as it is allowed there. */
  readonly heading: Heading
  /** A turn on its way to the server; nothing can be entered until the answer. */
  readonly sent: string | null
}

export const IDLE: Entry = { source: null, player: null, hover: null, target: null, heading: 'n', sent: null }

/** What the entry is about: the position, what is legal there, and the player's habits. */
export interface Situation {
  readonly shape: Shape
  readonly view: PositionView
  readonly stacks: Stacks
  readonly legal: Legal
  /** Who may enter a turn at this screen now; null while somebody else thinks, or when looking back. */
  readonly player: Colour | null
  /** Whether a ghost waits to be confirmed; otherwise one tap plays. */
  readonly confirm: boolean
}

/** A position as somebody at this screen may act on it. */
export function situationOf(shape: Shape, view: PositionView, player: Colour | null, confirm: boolean): Situation {
  return { shape, view, stacks: stacksOf(view), legal: new Legal(shape, view.legal), player, confirm }
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
  /** What stands as a ghost is on its way already: since before the page was opened again. */
  | { readonly do: 'send' }
  | { readonly do: 'resume'; readonly source: Source; readonly target: SpaceName | null; readonly heading: Heading }
  | { readonly do: 'suggest'; readonly source: Source; readonly space: SpaceName; readonly heading: Heading }

/**
 * Something to say that the view itself tells: who may not be touched, which pieces lie on top, what was done
 * instead.
 */
export interface Notice {
  readonly code: Refusal | 'chosen_instead'
  readonly kind?: Kind
  readonly space?: SpaceName
  readonly blockers?: readonly string[]
}

/** Why a piece cannot be chosen. */
export type Refusal =
  'not_your_turn' | 'opponents_set' | 'none_left' | 'no_room' | 'opponents_piece' | 'pinned' | 'stuck'

export interface Entered {
  readonly entry: Entry
  readonly play?: string
  /** A piece and a space that do not go together, whatever the heading. */
  readonly explain?: string
  readonly notice?: Notice
}

/** The piece that would be laid down: a preview under the pointer, or fixed on the picked space. */
export interface Ghost {
  readonly kind: Kind
  readonly space: SpaceName
  readonly heading: Heading
  /** The headings allowed on this space. */
  readonly headings: readonly Heading[]
  readonly fixed: boolean
}

export function enter(entry: Entry, action: Action, now: Situation): Entered {
  if (action.do === 'sync') return { entry: synced(entry, now) }
  if (action.do === 'answered') return { entry: { ...entry, sent: null } }
  // What was on its way belongs to another position: it is no longer in hand either.
  if (action.do === 'withdrawn') return { entry: entry.sent ? { ...IDLE, hover: entry.hover } : entry }
  if (action.do === 'send') return { entry: sending(entry, now) }
  if (action.do === 'hover') return { entry: entry.hover === action.space ? entry : { ...entry, hover: action.space } }
  if (entry.sent) return { entry }
  switch (action.do) {
    case 'take':
      return take(entry, action.kind, action.colour, now)
    case 'tap':
      return tap(entry, action.space, action.snapped ?? false, now)
    case 'rotate':
      return { entry: rotated(entry, action.steps, now) }
    case 'head':
      return head(entry, action.heading, action.snapped ?? false, now)
    case 'lift':
      return { entry: { ...entry, target: null, hover: entry.target } }
    case 'drop':
      return drop(entry, action.space, action.snapped ?? false, now)
    case 'confirm':
      return confirm(entry, now)
    case 'cancel':
      return { entry: cancelled(entry) }
    case 'resume': {
      const { source, target, heading } = action
      return { entry: synced({ ...IDLE, source, player: now.player, target, heading }, now) }
    }
    case 'suggest':
      return suggest(entry, action, now)
  }
}

/**
 * What would be laid down now; null while nothing is chosen or the pointer is nowhere useful. Over the chosen piece's
 * own PÜNCT there is nothing to see either: a tap there puts the piece back.
 */
export function ghostOf(entry: Entry, now: Situation): Ghost | null {
  const space = entry.target ?? (entry.hover === originSpace(entry) ? null : entry.hover)
  if (!entry.source || !space) return null
  const headings = now.legal.targets(entry.source).get(space)
  if (!headings) return null
  const heading = nearest(entry.heading, headings)
  // What is on its way can no longer be rotated.
  const offered = entry.sent ? [heading] : headings
  return { kind: entry.source.kind, space, heading, headings: offered, fixed: entry.target !== null }
}

/** How far the turn has come, for prompts. */
export function stepOf(entry: Entry): 'choose' | 'place' | 'turn' | 'sent' {
  if (entry.sent) return 'sent'
  if (entry.target) return 'turn'
  return entry.source ? 'place' : 'choose'
}

// Always the same one, so that nothing is drawn anew for it.
const NO_SPACES: readonly SpaceName[] = []

/** The spaces of the chosen piece on the board; empty for one from the set. */
export function originOf(entry: Entry, now: Situation): readonly SpaceName[] {
  const source = entry.source
  if (source?.from !== 'board') return NO_SPACES
  return now.view.pieces.find((piece) => piece.id === source.piece)?.spaces ?? NO_SPACES
}

function take(entry: Entry, kind: Kind, colour: Colour, now: Situation): Entered {
  if (!now.player) return { entry, notice: { code: 'not_your_turn' } }
  if (colour !== now.player) return { entry, notice: { code: 'opponents_set' } }
  if (entry.source?.from === 'set' && entry.source.kind === kind) return { entry: cancelled(entry) }
  if (!now.legal.mayAdd(kind)) {
    return { entry, notice: { code: now.view.sets[colour][kind] ? 'no_room' : 'none_left', kind } }
  }
  const source: Source = { from: 'set', kind }
  return { entry: { ...IDLE, source, player: now.player, hover: entry.hover, heading: entry.heading } }
}

function tap(entry: Entry, space: SpaceName, snapped: boolean, now: Situation): Entered {
  if (!entry.source) return choose(entry, space, now)
  if (entry.target === space) {
    // A finger beside the ghost has not said that it means the ghost.
    if (snapped) return { entry }
    return now.confirm ? { entry: rotated(entry, 1, now) } : confirm(entry, now)
  }
  if (space === originSpace(entry)) return { entry: cancelled(entry) }
  const headings = now.legal.targets(entry.source).get(space)
  if (headings) return aim(entry, space, headings, snapped, now)
  if (originOf(entry, now).includes(space)) return { entry: cancelled(entry) }
  const other = topOf(now.stacks, space)
  if (other?.colour === now.player && now.legal.mayMove(other.space)) {
    const { entry: instead } = choose(IDLE, space, now)
    return { entry: instead, notice: { code: 'chosen_instead', kind: other.kind, space: other.space } }
  }
  return { entry, explain: tapText(entry.source, space) }
}

/** Choose the piece that shows on a space, by any of its dots. */
function choose(entry: Entry, space: SpaceName, now: Situation): Entered {
  const piece = topOf(now.stacks, space)
  if (!piece) return { entry }
  if (!now.player) return { entry, notice: { code: 'not_your_turn' } }
  if (piece.colour !== now.player) return { entry, notice: { code: 'opponents_piece', space } }
  if (!piece.free) {
    const blockers = piece.blocked_by.map((blocker) => blocker.piece)
    return { entry, notice: { code: 'pinned', space, blockers } }
  }
  if (!now.legal.mayMove(piece.space)) return { entry, notice: { code: 'stuck', space } }
  const source: Source = { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space }
  return { entry: { ...IDLE, source, player: now.player, hover: entry.hover, heading: piece.heading } }
}

function aim(entry: Entry, space: SpaceName, headings: readonly Heading[], snapped: boolean, now: Situation): Entered {
  // A ghost that already stood under the pointer is what the player saw; without one, only a lone heading is certain.
  const certain = !snapped && (entry.hover === space || headings.length === 1)
  const aimed = { ...entry, target: space, heading: nearest(entry.heading, headings) }
  return !now.confirm && certain ? confirm(aimed, now) : { entry: aimed }
}

function head(entry: Entry, heading: Heading, snapped: boolean, now: Situation): Entered {
  const ghost = ghostOf(entry, now)
  if (!ghost?.fixed || !ghost.headings.includes(heading)) return { entry }
  const turned = { ...entry, heading }
  return now.confirm || snapped ? { entry: turned } : confirm(turned, now)
}

function drop(entry: Entry, space: SpaceName | null, snapped: boolean, now: Situation): Entered {
  if (!entry.source) return { entry }
  const headings = space && now.legal.targets(entry.source).get(space)
  if (space && headings && space !== originSpace(entry)) return aim(entry, space, headings, snapped, now)
  // Back on its own PÜNCT, or off the board, the piece is put back; over a space it may not have, the turn goes on.
  if (!space || originOf(entry, now).includes(space)) return { entry: cancelled(entry) }
  return { entry, explain: tapText(entry.source, space) }
}

function confirm(entry: Entry, now: Situation): Entered {
  const ghost = ghostOf(entry, now)
  if (!entry.source || !ghost?.fixed) return { entry }
  const play = moveText(entry.source, ghost.space, ghost.heading)
  return { entry: { ...entry, heading: ghost.heading, sent: play }, play }
}

function sending(entry: Entry, now: Situation): Entry {
  const ghost = ghostOf(entry, now)
  return entry.source && ghost ? { ...entry, sent: moveText(entry.source, ghost.space, ghost.heading) } : entry
}

function suggest(
  entry: Entry,
  { source, space, heading }: { source: Source; space: SpaceName; heading: Heading },
  now: Situation,
): Entered {
  const allowed = now.legal.targets(source).get(space)?.includes(heading)
  return { entry: allowed ? { ...entry, source, player: now.player, target: space, heading } : entry }
}

function cancelled(entry: Entry): Entry {
  // A piece picked up again after a step back keeps nothing but where the pointer is.
  return { ...IDLE, hover: entry.hover }
}

/** Turn the ghost to the next heading allowed. With nothing aimed at, a piece on the board turns in place. */
function rotated(entry: Entry, steps: 1 | -1, now: Situation): Entry {
  if (!entry.source) return entry
  const targets = now.legal.targets(entry.source)
  const origin = originSpace(entry)
  const preview = entry.hover !== origin && entry.hover !== null && targets.has(entry.hover) ? entry.hover : null
  const space = entry.target ?? preview ?? origin
  const headings = (space && targets.get(space)) || now.shape.headings(entry.source.kind)
  const inPlace = space !== null && space === origin && targets.has(space)
  const from = inPlace && !entry.target ? entry.heading : nearest(entry.heading, headings)
  const heading = next(from, steps, headings)
  return { ...entry, heading, target: inPlace ? space : entry.target }
}

/** A new state from the server: keep the turn in progress if it is still possible, else begin anew. */
function synced(entry: Entry, now: Situation): Entry {
  const source = entry.source
  const idle = { ...IDLE, hover: entry.hover }
  if (!source || !now.player || now.player !== entry.player) return idle
  if (source.from === 'board') {
    const piece = now.view.pieces.find((candidate) => candidate.id === source.piece)
    if (piece?.space !== source.space) return idle
  }
  const targets = now.legal.targets(source)
  if (!targets.size) return idle
  const target = entry.target && targets.has(entry.target) ? entry.target : null
  return { ...entry, target }
}

/** Where the PÜNCT of the chosen piece lies; nowhere for one from the set. */
export function originSpace(entry: Entry): SpaceName | null {
  return entry.source?.from === 'board' ? entry.source.space : null
}

/** The wished heading if it is allowed, else the next one clockwise that is. */
function nearest(wish: Heading, headings: readonly Heading[]): Heading {
  return headings.includes(wish) ? wish : next(wish, 1, headings)
}

function next(from: Heading, steps: 1 | -1, headings: readonly Heading[]): Heading {
  for (let turn = 1; turn <= 6; turn++) {
    const heading = turned(from, turn * steps)
    if (headings.includes(heading)) return heading
  }
  return from
}
