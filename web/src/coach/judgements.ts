/**
 * How good the turns of a game were. This repeats `punct.analysis.review` over the same scale; a test holds it to what
 * that one says about real games.
 */
import scale from '../../../src/punct/analysis/scale.json'
import type { Colour, Remark } from '../api/model'
import type { Variation } from '../kernel/kernel'

export type Judgement = keyof typeof scale.judgements

/** From bad to worse. */
export const JUDGEMENTS = Object.keys(scale.judgements) as Judgement[]
/** Those that lose the most, or a win. */
export const SEVERE_JUDGEMENTS: readonly Judgement[] = ['blunder', 'missed_win', 'gives_win']
/** So many turns of a better variation are told. */
export const MAX_VARIATION = scale.longest_variation

const LEAST = JUDGEMENTS.flatMap((judgement) => {
  const least = scale.judgements[judgement].given_away
  return least === null ? [] : [{ judgement, least }]
}).reverse()

/** A position, and what a search made of it. */
export interface EvaluatedPosition {
  readonly turn: Colour
  /** Who has won, nobody in a draw; null while it can be played on. */
  readonly over: { readonly winner: Colour | null } | null
  /** The best variation; there is none where the game is over. */
  readonly best: Pick<Variation, 'move' | 'score' | 'proven' | 'pv'> | null
}

/** What there is to be had in a position, for the side to move. */
export interface Evaluation {
  readonly chance: number
  /** 0 while open; n: wins in n plies; -n: loses in n plies; infinite where nobody knows when. */
  readonly proven: number
  /** The best turn, and how it goes on. */
  readonly best: readonly string[]
}

export function evaluationOf({ turn, over, best }: EvaluatedPosition): Evaluation {
  if (over) return { chance: over.winner === null ? 0.5 : Number(over.winner === turn), proven: 0, best: [] }
  if (!best) throw new RangeError('nobody has looked at this position')
  const { move, score, proven, pv } = best
  const line = (pv.length ? pv : [move]).slice(0, MAX_VARIATION)
  return { chance: proven ? Number(proven > 0) : score, proven, best: line }
}

/** The chance of the other side. */
export function chanceOf(colour: Colour, white: number): number {
  return colour === 'w' ? white : 1 - white
}

/** White's winning chance in a position. */
export function whiteChance(evaluations: EvaluatedPosition): number {
  return chanceOf(evaluations.turn, evaluationOf(evaluations).chance)
}

/** What a turn deserves that gives away so much winning chance; null if that is nothing to speak of. */
export function judgementFor(givenAway: number): Judgement | null {
  return LEAST.find(({ least }) => givenAway >= least)?.judgement ?? null
}

/** What is to be said about a turn: what there was before it, and what it led to. */
export function remarkOn(
  before: Evaluation,
  ply: number,
  colour: Colour,
  turn: string,
  after: EvaluatedPosition,
): Remark {
  const theirs = evaluationOf(after)
  const isBest = turn === before.best[0]
  const givenAway = isBest ? 0 : Math.max(0, before.chance - (1 - theirs.chance))
  const won = after.over ? after.over.winner === colour : theirs.proven < 0
  const lost = after.over ? after.over.winner !== null && !won : theirs.proven > 0
  const judge = (): Judgement | null => {
    if (isBest || won) return null
    if (before.proven > 0) return 'missed_win'
    if (lost && before.proven === 0) return 'gives_win'
    return judgementFor(givenAway)
  }
  return {
    ply,
    colour,
    turn,
    chance: whiteChance(after),
    given_away: givenAway,
    // (A minus alone would make a minus zero.)
    proven: 0 - theirs.proven,
    judgement: judge(),
    best: [...before.best],
  }
}

/** A whole game: the chances before it, and a remark on each turn, as far as positions have been looked at. */
export interface ReviewResult {
  /** White's chance before the first turn. */
  readonly start: number
  readonly turns: readonly Remark[]
}

/** Remarks on the turns that led from each position to the next. */
export function reviewOf(turns: readonly string[], evaluations: readonly EvaluatedPosition[]): ReviewResult | null {
  const [first, ...rest] = evaluations
  if (!first) return null
  let before = first
  const remarks = rest.map((after, ply) => {
    const remark = remarkOn(evaluationOf(before), ply, before.turn, turns[ply] ?? '', after)
    before = after
    return remark
  })
  return { start: whiteChance(first), turns: remarks }
}

/** What there was before a turn of a game that has been reviewed. */
export function evaluationBefore({ start, turns }: ReviewResult, ply: number): Evaluation {
  const remark = turns[ply]
  if (!remark) throw new RangeError(`there is no turn ${ply}`)
  const previous = turns[ply - 1]
  const chance = chanceOf(remark.colour, previous?.chance ?? start)
  // What was proven before the first turn is not told; but only what is proven is certain, sooner or later.
  const first = chance === 1 ? Infinity : chance === 0 ? -Infinity : 0
  const proven = previous ? 0 - previous.proven : first
  return { chance, proven, best: remark.best }
}

/** White's winning chance, from the start to the end. */
export function curveOf({ start, turns }: ReviewResult): number[] {
  return [start, ...turns.map(({ chance }) => chance)]
}

/** How accurately a player played, in percent; null without a turn. */
export function accuracy({ turns }: ReviewResult, colour: Colour): number | null {
  const own = turns.filter((turn) => turn.colour === colour)
  if (!own.length) return null
  const sum = own.reduce((sum, turn) => sum + 100 * Math.exp(-scale.accuracy_decay * turn.given_away), 0)
  return sum / own.length
}

export function count({ turns }: ReviewResult, colour: Colour, judgement: Judgement): number {
  return turns.filter((turn) => turn.colour === colour && turn.judgement === judgement).length
}

/** The turns that something is to be said about; of one player, or of both. */
export function badMoves({ turns }: ReviewResult, colour: Colour | null = null): Remark[] {
  return turns.filter((turn) => turn.judgement && (colour === null || turn.colour === colour))
}
