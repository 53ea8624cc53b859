/** The board in words, for screen readers and the live region. */
import type { Colour, Explanation, PieceView, PositionView, SpaceName } from '../../api/model'
import { t, tOr } from '../../i18n/index.svelte'
import type { Ghost, Notice } from '../model/entry'
import type { Source } from '../model/legal'
import type { DescribedMove } from '../model/moves'
import type { Shape } from '../model/shape'
import type { Stacks } from '../model/stacks'

export function pieceWords(piece: Pick<PieceView, 'colour' | 'kind'>): string {
  return t('piece.named', { colour: t(`colour.${piece.colour}`), kind: t(`kind.${piece.kind}`) })
}

/** Describe what a space shows: the dot on top, whether its piece is pinned, and how much lies below. */
export function spaceWords(
  shape: Shape,
  stacks: Stacks,
  space: SpaceName,
  state: { isTarget?: boolean; isSelected?: boolean } = {},
): string {
  const stack = stacks.get(space) ?? []
  const top = stack.at(-1)
  const words: string[] = []
  if (!top) words.push(t(shape.at(space).centre ? 'space.centre' : 'space.empty', { space }))
  else {
    const dot = top.spaces.indexOf(space)
    const hanging = top.bridge && dot === shape.middle(top.kind)
    const key = hanging ? 'space.hanging' : dot === 0 ? 'space.punct' : 'space.minor'
    words.push(t(key, { space, piece: pieceWords(top), level: top.level }))
    if (!top.free) words.push(t('space.pinned'))
    if (stack.length > 1) words.push(t('space.below', { n: stack.length - 1 }))
  }
  if (state.isSelected) words.push(t('space.chosen'))
  if (state.isTarget) words.push(t('space.target'))
  return words.join(', ')
}

/** Say which piece was selected instead of the first. */
export function chosenInsteadWords({ kind, space }: Notice): string {
  return t('notice.chosen_instead', { kind: kind ? t(`kind.${kind}`) : '', space: space ?? '' })
}

/** Say which piece was just selected, or that it was put back. */
export function selectionWords(source: Source | null): string {
  if (!source) return t('entry.put_back')
  const kind = t(`kind.${source.kind}`)
  return source.from === 'set' ? t('entry.taken', { kind }) : t('entry.chosen', { kind, space: source.space })
}

/** Say how a piece would lie. */
export function ghostWords({ kind, space, heading }: Ghost): string {
  return `${t(`kind.${kind}`)}, ${space}, ${t(`heading.${heading}`)}`
}

/** Describe a move. */
export function moveWords(move: DescribedMove): string {
  const isInPlace = move.origin === move.space
  const key =
    isInPlace && (move.manner === 'jump' || move.manner === 'bridge')
      ? (`turn.${move.manner}_in_place` as const)
      : (`turn.${move.manner}` as const)
  return t(key, {
    colour: t(`colour.${move.colour}`),
    piece: t(`kind_a.${move.kind}`),
    origin: move.origin ?? '',
    space: move.space,
    heading: t(`heading.${move.heading}`),
    level: move.level,
  })
}

/** Why something may not be played: the rule that all headings break, or how many of them break which. */
export function refusalWords({ reason, sentence, headings }: Explanation): string {
  const counts = new Map<string, number>()
  for (const { reason } of headings) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size < 2) return tOr(`reason.${reason ?? ''}`, sentence ?? '')
  const faults = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} × ${tOr(`fault.${code}`, code)}`)
  return t('refusal.headings', { faults: faults.join(', ') })
}

/** Who won; addressed to the only person at this screen. */
export function winnerWords(winner: Colour | null, me: Colour | null = null): string {
  if (!winner) return t('end.draw')
  if (me) return t(winner === me ? 'end.you_win' : 'end.you_lose')
  return t('end.wins', { colour: t(`colour.${winner}`) })
}

/** How a game ended, in one sentence. */
export function endWords(position: PositionView): string {
  return position.outcome ? `${winnerWords(position.outcome.winner)}. ${endReasonWords(position)}` : ''
}

/** How a position came about: by which move, and what that ended; or that nothing was played yet. */
export function positionWords(position: PositionView): string {
  const moveText = position.last ? moveWords(position.last) : t('moves.start')
  return position.outcome ? `${moveText} ${endWords(position)}` : moveText
}

/** Why a game ended. */
export function endReasonWords({ outcome, rules, centre: { w, b } }: PositionView): string {
  if (!outcome) return ''
  const { winner, reason } = outcome
  if (reason === 'no_turn' && rules === 'standard') return t('end.no_turn_count', { w, b })
  if (reason === 'resignation' && winner) return t('end.resignation', { colour: t(`colour.${other(winner)}`) })
  return t(`end.${reason}`, { w, b })
}

/** The other colour. */
export function other(colour: Colour): Colour {
  return colour === 'w' ? 'b' : 'w'
}

/** The number of a move in a record; Black's only where it would not be clear otherwise. */
export function moveNumber(ply: number, first: Colour, showBlack: boolean): string {
  const half = first === 'b' ? ply + 1 : ply
  if (half % 2 === 0) return `${half / 2 + 1}.`
  return showBlack ? `${(half + 1) / 2}…` : ''
}
