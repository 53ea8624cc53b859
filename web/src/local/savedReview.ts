/** The review of a game in this browser, with the turns it tells of: another game than that has none. */
import type { Remark, Review } from '../api/model'

export interface SavedReview extends Pick<Review, 'nodes' | 'start' | 'turns'> {
  /** The game's. */
  readonly id: string
}

type Raw = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string')

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
    areTexts(best)
  )
}

/** What was stored as one; null where it is none: a review can be made again. */
export function checkedReview(stored: unknown): SavedReview | null {
  if (!isObject(stored)) return null
  const { id, nodes, start, turns } = stored
  const sound = typeof id === 'string' && Number.isInteger(nodes) && Number.isFinite(start)
  return sound && Array.isArray(turns) && turns.every(isRemark) ? (stored as unknown as SavedReview) : null
}

/** Whether it tells of just these turns. */
export function isReviewOf({ turns }: SavedReview, played: readonly string[]): boolean {
  return turns.length === played.length && turns.every(({ turn }, ply) => turn === played[ply])
}
