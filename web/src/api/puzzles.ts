/**
 * What a server keeps of puzzles, for account holders: what they have tried, how strong that makes them, and how hard
 * the puzzles turn out to be. It is refused to nobody known (401), to guests and programs (403) and at home (409):
 * what is theirs is kept in the browser.
 */
import { ApiError, request, requestChange } from './client'
import type { PuzzleStanding, PuzzlesTried, PuzzleTry } from './model'

/** So many tries the server takes in at once. */
const MOST_TRIES = 100

export const puzzles = {
  /** How one stands, with every puzzle one has tried on any device. */
  standing: () => request<PuzzleStanding>('GET', '/puzzles/standing'),
  /**
   * Hand in what was tried, in its order, however much it is. The first try of a puzzle counts, once: after a failure
   * all of it may be handed in again. What is no puzzle of this server, as it was one of another version, is left out.
   */
  handIn: async (tries: readonly PuzzleTry[]): Promise<PuzzlesTried> => {
    let standing: PuzzleStanding | null = null
    const ratings: Record<string, number> = {}
    for (let from = 0; from < tries.length; from += MOST_TRIES) {
      const answer = await handInSome(tries.slice(from, from + MOST_TRIES))
      standing = answer?.standing ?? standing
      Object.assign(ratings, answer?.puzzles)
    }
    return { standing: standing ?? (await puzzles.standing()), puzzles: ratings }
  },
  /** The most one has solved in a row and against the clock; less than before changes nothing. */
  raiseBests: (bests: { readonly best_streak?: number; readonly best_rush?: number }) =>
    requestChange<PuzzleStanding>('PUT', '/puzzles/bests', { body: bests }),
  /** The ratings of the puzzles that somebody has tried, by id; all others have those they come with. */
  ratings: () =>
    request<{ ratings: Record<string, number> }>('GET', '/puzzles/ratings').then((answer) => answer.ratings),
}

/** Hand in what fits into one request; null if there is no puzzle of this server among it. */
async function handInSome(tries: readonly PuzzleTry[]): Promise<PuzzlesTried | null> {
  try {
    return await requestChange<PuzzlesTried>('POST', '/puzzles/tries', { body: { tries } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unknown_puzzle') throw error
    const unknown = error.detail['puzzles']
    const known = tries.filter((tried) => !Array.isArray(unknown) || !unknown.includes(tried.puzzle))
    if (known.length === tries.length) throw error
    return known.length ? handInSome(known) : null
  }
}
