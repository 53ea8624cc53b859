/**
 * Judges the moves of a game. This repeats `punct.analysis.review` over the same scale; a test compares both on real
 * games.
 */
import scale from '../../../src/punct/analysis/scale.json'
import type { Colour, Remark } from '../api/model'
import type { Variation } from '../kernel/kernel'

export type Judgement = keyof typeof scale.judgements

/** From bad to worse. */
export const JUDGEMENTS = Object.keys(scale.judgements) as Judgement[]
/** Those that lose the most, or a win. */
export const SEVERE_JUDGEMENTS: readonly Judgement[] = ['blunder', 'missed_win', 'gives_win']
/** So many moves of a better variation are shown. */
export const MAX_VARIATION = scale.longest_variation

const THRESHOLDS = JUDGEMENTS.flatMap((judgement) => {
  const minGivenAway = scale.judgements[judgement].given_away
  return minGivenAway === null ? [] : [{ judgement, least: minGivenAway }]
}).reverse()

/** A position, and its evaluation by a search. */
export interface EvaluatedPosition {
  readonly turn: Colour
  /** The winner, null in a draw; null while the game goes on. */
  readonly over: { readonly winner: Colour | null } | null
  /** The best variation; null where the game is over. */
  readonly best: Pick<Variation, 'move' | 'score' | 'proven' | 'pv'> | null
}

/** The evaluation of a position for the side to move. */
export interface Evaluation {
  readonly chance: number
  /** 0 while open; n: wins in n plies; -n: loses in n plies; infinite where the number is not known. */
  readonly proven: number
  /** The best move, and how the game goes on. */
  readonly best: readonly string[]
}

export function evaluationOf({ turn, over, best }: EvaluatedPosition): Evaluation {
  if (over) return { chance: over.winner === null ? 0.5 : Number(over.winner === turn), proven: 0, best: [] }
  if (!best) throw new RangeError('nobody has looked at this position')
  const { move, score, proven, pv } = best
  const line = (pv.length ? pv : [move]).slice(0, MAX_VARIATION)
  return { chance: proven ? Number(proven > 0) : score, proven, best: line }
}

/** A colour's chance, from White's. */
export function chanceOf(colour: Colour, chanceOfWhite: number): number {
  return colour === 'w' ? chanceOfWhite : 1 - chanceOfWhite
}

/** White's winning chance in a position. */
function whiteChance(evaluated: EvaluatedPosition): number {
  return chanceOf(evaluated.turn, evaluationOf(evaluated).chance)
}

/** The judgement of a move that gives away so much winning chance; null if that is negligible. */
export function judgementFor(givenAway: number): Judgement | null {
  return THRESHOLDS.find(({ least }) => givenAway >= least)?.judgement ?? null
}

/** The remark on a move, from the evaluations before and after it. */
export function remarkOn(
  before: Evaluation,
  ply: number,
  colour: Colour,
  turn: string,
  after: EvaluatedPosition,
): Remark {
  const evaluationAfter = evaluationOf(after)
  const isBest = turn === before.best[0]
  const givenAway = isBest ? 0 : Math.max(0, before.chance - (1 - evaluationAfter.chance))
  const isWon = after.over ? after.over.winner === colour : evaluationAfter.proven < 0
  const isLost = after.over ? after.over.winner !== null && !isWon : evaluationAfter.proven > 0
  const judge = (): Judgement | null => {
    if (isBest || isWon) return null
    if (before.proven > 0) return 'missed_win'
    if (isLost && before.proven === 0) return 'gives_win'
    return judgementFor(givenAway)
  }
  return {
    ply,
    colour,
    turn,
    chance: whiteChance(after),
    given_away: givenAway,
    // (A minus alone would make a minus zero.)
    proven: 0 - evaluationAfter.proven,
    judgement: judge(),
    best: [...before.best],
  }
}

/** A reviewed game: the chances before it, and a remark on each move, as far as positions have been evaluated. */
export interface ReviewResult {
  /** White's chance before the first move. */
  readonly start: number
  readonly turns: readonly Remark[]
}

/** Remarks on the moves that led from each position to the next. */
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

/** The evaluation before a move of a reviewed game. */
export function evaluationBefore({ start, turns }: ReviewResult, ply: number): Evaluation {
  const remark = turns[ply]
  if (!remark) throw new RangeError(`there is no turn ${ply}`)
  const previous = turns[ply - 1]
  const chance = chanceOf(remark.colour, previous?.chance ?? start)
  // What was proven before the first move is not stored; but only what is proven has chance 0 or 1.
  const first = chance === 1 ? Infinity : chance === 0 ? -Infinity : 0
  const proven = previous ? 0 - previous.proven : first
  return { chance, proven, best: remark.best }
}

/** White's winning chance, from the start to the end. */
export function curveOf({ start, turns }: ReviewResult): number[] {
  return [start, ...turns.map(({ chance }) => chance)]
}

/** How accurately a player played, in percent; null without a move. */
export function accuracy({ turns }: ReviewResult, colour: Colour): number | null {
  const own = turns.filter((turn) => turn.colour === colour)
  if (!own.length) return null
  const sum = own.reduce((sum, turn) => sum + 100 * Math.exp(-scale.accuracy_decay * turn.given_away), 0)
  return sum / own.length
}

export function count({ turns }: ReviewResult, colour: Colour, judgement: Judgement): number {
  return turns.filter((turn) => turn.colour === colour && turn.judgement === judgement).length
}

/** The moves with a judgement; of one player, or of both. */
export function badMoves({ turns }: ReviewResult, colour: Colour | null = null): Remark[] {
  return turns.filter((turn) => turn.judgement && (colour === null || turn.colour === colour))
}
