/**
 * Puzzle requests of account holders: their tries, their rating, and the puzzles' ratings. They are refused to visitors
 * (401), to guests and bots (403) and on a home server (409): their progress stays in the browser.
 */
import { ApiError, request, requestChange } from './client'
import type { PuzzleStanding, PuzzlesTried, PuzzleTry } from './model'

/** The server accepts so many tries in one request. */
const MAX_TRIES = 100

export const puzzles = {
  /** The player's standing, with every puzzle tried on any device. */
  standing: () => request<PuzzleStanding>('GET', '/puzzles/standing'),
  /**
   * Submit tries in order, in batches. Only the first try of a puzzle counts, so after a failure all may be submitted
   * again. Puzzles that this server does not have, as they are of another version, are left out.
   */
  submitTries: async (tries: readonly PuzzleTry[]): Promise<PuzzlesTried> => {
    let standing: PuzzleStanding | null = null
    const ratings: Record<string, number> = {}
    for (let start = 0; start < tries.length; start += MAX_TRIES) {
      const response = await submitBatch(tries.slice(start, start + MAX_TRIES))
      standing = response?.standing ?? standing
      Object.assign(ratings, response?.puzzles)
    }
    return { standing: standing ?? (await puzzles.standing()), puzzles: ratings }
  },
  /** Raise the best streak and rush; a lower value changes nothing. */
  raiseBests: (bests: { readonly best_streak?: number; readonly best_rush?: number }) =>
    requestChange<PuzzleStanding>('PUT', '/puzzles/bests', { body: bests }),
  /** The ratings of the puzzles that somebody has tried, by id; all others have the ratings they come with. */
  ratings: () =>
    request<{ ratings: Record<string, number> }>('GET', '/puzzles/ratings').then((answer) => answer.ratings),
}

/** Submit one batch of tries; null if none of its puzzles is known to this server. */
async function submitBatch(tries: readonly PuzzleTry[]): Promise<PuzzlesTried | null> {
  try {
    return await requestChange<PuzzlesTried>('POST', '/puzzles/tries', { body: { tries } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unknown_puzzle') throw error
    const unknownIds = error.detail['puzzles']
    const knownTries = tries.filter((entry) => !Array.isArray(unknownIds) || !unknownIds.includes(entry.puzzle))
    if (knownTries.length === tries.length) throw error
    return knownTries.length ? submitBatch(knownTries) : null
  }
}
