/** The review of a game in this browser, with the moves it is about: after other moves it is void. */
import type { Remark, Review } from '../api/model'

export interface SavedReview extends Pick<Review, 'nodes' | 'start' | 'turns'> {
  /** The game's id. */
  readonly id: string
}

type Raw = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null
const isTextArray = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string')

function isRemark(value: unknown, ply: number): value is Remark {
  if (!isObject(value)) return false
  const { turn, colour, chance, given_away, proven, judgement, best } = value
  return (
    value['ply'] === ply &&
    typeof turn === 'string' &&
    (colour === 'w' || colour === 'b') &&
    Number.isFinite(chance) &&
    Number.isFinite(given_away) &&
    Number.isInteger(proven) &&
    (judgement === null || typeof judgement === 'string') &&
    isTextArray(best)
  )
}

/** Validate a stored review; null where it is damaged: a review can be made again. */
export function validateReview(stored: unknown): SavedReview | null {
  if (!isObject(stored)) return null
  const { id, nodes, start, turns } = stored
  const isValid = typeof id === 'string' && Number.isInteger(nodes) && Number.isFinite(start)
  return isValid && Array.isArray(turns) && turns.every(isRemark) ? (stored as unknown as SavedReview) : null
}

/** Whether a review is about just these moves. */
export function isReviewOf({ turns }: SavedReview, moves: readonly string[]): boolean {
  return turns.length === moves.length && turns.every(({ turn }, ply) => turn === moves[ply])
}
