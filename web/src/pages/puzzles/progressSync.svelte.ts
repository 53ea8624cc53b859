/**
 * Synchronises an account holder's progress: tries are submitted, now and whenever the server is back, and its standing
 * is stored.
 */
import { untrack } from 'svelte'
import { ApiError } from '../../api/client'
import { isOffline, reconnectCount } from '../../api/connection.svelte'
import type { PuzzleStanding } from '../../api/model'
import { puzzles as account } from '../../api/puzzles'
import { withTabLock } from '../../browser/tabLock'
import { me } from '../../session/me.svelte'
import type { Puzzle } from './collection'
import type { PuzzleProgress, TryRecord } from './puzzleProgress.svelte'

export type PuzzleServer = Pick<typeof account, 'standing' | 'submitTries' | 'raiseBests'>

/** Submit the tries that the server does not have, and store its standing. */
export async function syncProgress(
  progress: PuzzleProgress,
  server: PuzzleServer,
  now: () => number = Date.now,
): Promise<void> {
  const submitted = progress.pendingTries
  const standing = submitted.length
    ? (await server.submitTries(submitted.map(toPuzzleTry))).standing
    : await server.standing()
  applyStanding(progress, standing, submitted, now())
  const { bestStreak: best_streak, bestRush: best_rush } = progress
  if (best_streak > standing.best_streak || best_rush > standing.best_rush)
    applyStanding(progress, await server.raiseBests({ best_streak, best_rush }), [], now())
}

function toPuzzleTry({ puzzle, solved, at, mode, day }: TryRecord): Omit<TryRecord, 'rating'> {
  return { puzzle, solved, at, mode, ...(day && { day }) }
}

function applyStanding(
  progress: PuzzleProgress,
  standing: PuzzleStanding,
  submitted: readonly TryRecord[],
  now: number,
): void {
  const { rating, deviation, tried, days, best_streak: streak, best_rush: rush } = standing
  progress.applyStanding({ rating, deviation, tried, days, at: new Date(now).toISOString() }, submitted, {
    streak,
    rush,
  })
}

/** The account whose standing was loaded since the page was opened. */
let syncedAccount: string | null = null

/** Keep the progress here and the account's equal, as long as a page shows it. */
export function keepProgressSynced(progress: PuzzleProgress): void {
  const pendingCount = $derived(progress.pendingTries.length)
  $effect(() => {
    reconnectCount()
    const { mode, player } = me()
    const accountId = player?.login ? player.id : null
    // While the server cannot be reached the player's identity is not known: nothing changes.
    if (mode !== 'online' || isOffline()) return
    if (progress.owner !== accountId) untrack(() => progress.setOwner(accountId))
    if (!accountId || (syncedAccount === accountId && !pendingCount)) return
    untrack(() => withTabLock('punct.puzzles', () => syncProgress(progress, account)))
      .then(() => (syncedAccount = accountId))
      .catch((error: unknown) => {
        // The tries are submitted when the server is back, or with the next one.
        if (!(error instanceof ApiError)) throw error
      })
  })
}

let pendingRatings: Promise<Readonly<Record<string, number>>> | null = null

/** Puzzles with the ratings they have got on the server; where those are not known, with the ones they come with. */
export async function withServerRatings(puzzles: readonly Puzzle[]): Promise<readonly Puzzle[]> {
  if (untrack(() => me().mode !== 'online' || isOffline())) return puzzles
  pendingRatings ??= account.ratings()
  try {
    const ratings = await pendingRatings
    return puzzles.map((puzzle) => ({ ...puzzle, rating: ratings[puzzle.id] ?? puzzle.rating }))
  } catch (error) {
    pendingRatings = null
    if (!(error instanceof ApiError)) throw error
    return puzzles
  }
}
