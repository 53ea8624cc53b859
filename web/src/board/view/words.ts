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

/** What a space shows: the dot on top, whether its piece is pinned, and how much lies below. */
export function spaceWords(
  shape: Shape,
  stacks: Stacks,
  space: SpaceName,
  state: { target?: boolean; chosen?: boolean } = {},
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
  if (state.chosen) words.push(t('space.chosen'))
  if (state.target) words.push(t('space.target'))
  return words.join(', ')
}

/** Another piece was chosen in place of the first: which. */
export function chosenInsteadWords({ kind, space }: Notice): string {
  return t('notice.chosen_instead', { kind: kind ? t(`kind.${kind}`) : '', space: space ?? '' })
}

/** What somebody has just taken in hand, or put back. */
export function heldWords(source: Source | null): string {
  if (!source) return t('entry.put_back')
  const kind = t(`kind.${source.kind}`)
  return source.from === 'set' ? t('entry.taken', { kind }) : t('entry.chosen', { kind, space: source.space })
}

/** How a piece would lie now. */
export function aimedWords({ kind, space, heading }: Ghost): string {
  return `${t(`kind.${kind}`)}, ${space}, ${t(`heading.${heading}`)}`
}

/** A turn as one would tell it across the table. */
export function moveWords(last: DescribedMove): string {
  const stays = last.origin === last.space
  const key =
    stays && (last.manner === 'jump' || last.manner === 'bridge')
      ? (`turn.${last.manner}_in_place` as const)
      : (`turn.${last.manner}` as const)
  return t(key, {
    colour: t(`colour.${last.colour}`),
    piece: t(`kind_a.${last.kind}`),
    origin: last.origin ?? '',
    space: last.space,
    heading: t(`heading.${last.heading}`),
    level: last.level,
  })
}

/** Why something may not be played: the rule all headings break, or in short how many of them break which. */
export function refusalWords({ reason, sentence, headings }: Explanation): string {
  const counts = new Map<string, number>()
  for (const { reason } of headings) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size < 2) return tOr(`reason.${reason ?? ''}`, sentence ?? '')
  const faults = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} × ${tOr(`fault.${code}`, code)}`)
  return t('refusal.headings', { faults: faults.join(', ') })
}

/** Who won; to the only person at this screen it is said in person. */
export function winnerWords(winner: Colour | null, me: Colour | null = null): string {
  if (!winner) return t('end.draw')
  if (me) return t(winner === me ? 'end.you_win' : 'end.you_lose')
  return t('end.wins', { colour: t(`colour.${winner}`) })
}

/** How a game ended, in one sentence. */
export function endWords(position: PositionView): string {
  return position.outcome ? `${winnerWords(position.outcome.winner)}. ${reasonOfEnd(position)}` : ''
}

/** How a position came about: by which turn, and what that ended; or that nothing was played yet. */
export function positionWords(position: PositionView): string {
  const told = position.last ? moveWords(position.last) : t('moves.start')
  return position.outcome ? `${told} ${endWords(position)}` : told
}

/** Why it ended. */
export function reasonOfEnd({ outcome, rules, centre: { w, b } }: PositionView): string {
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

/** The number a turn has in a record; Black's only where it would not be clear otherwise. */
export function moveNumber(ply: number, first: Colour, always: boolean): string {
  const half = first === 'b' ? ply + 1 : ply
  if (half % 2 === 0) return `${half / 2 + 1}.`
  return always ? `${(half + 1) / 2}…` : ''
}
