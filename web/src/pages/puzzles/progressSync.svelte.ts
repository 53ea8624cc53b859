/** With an account: what was tried is given to the server, now and whenever it is back, and it says how one stands. */
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

/** Give the server what it does not know of, and take over what it says. */
export async function syncProgress(
  progress: PuzzleProgress,
  server: PuzzleServer,
  now: () => number = Date.now,
): Promise<void> {
  const handed = progress.owed
  const told = handed.length ? (await server.submitTries(handed.map(asTold))).standing : await server.standing()
  take(progress, told, handed, now())
  const { bestStreak: best_streak, bestRush: best_rush } = progress
  if (best_streak > told.best_streak || best_rush > told.best_rush)
    take(progress, await server.raiseBests({ best_streak, best_rush }), [], now())
}

function asTold({ puzzle, solved, at, mode, day }: TryRecord): Omit<TryRecord, 'rating'> {
  return { puzzle, solved, at, mode, ...(day && { day }) }
}

function take(progress: PuzzleProgress, told: PuzzleStanding, handed: readonly TryRecord[], now: number): void {
  const { rating, deviation, tried, days, best_streak: streak, best_rush: rush } = told
  progress.take({ rating, deviation, tried, days, at: new Date(now).toISOString() }, handed, { streak, rush })
}

/** Whose standing the server has told since the page was opened. */
let told: string | null = null

/** Keep the standing here and that of the account the same, as long as a page shows it. */
export function keepProgressSynced(progress: PuzzleProgress): void {
  const owed = $derived(progress.owed.length)
  $effect(() => {
    reconnectCount()
    const { mode, player } = me()
    const holder = player?.login ? player.id : null
    // Where nobody answers it is not known who one is: then all stays as it was.
    if (mode !== 'online' || isOffline()) return
    if (progress.owner !== holder) untrack(() => progress.become(holder))
    if (!holder || (told === holder && !owed)) return
    untrack(() => withTabLock('punct.puzzles', () => syncProgress(progress, account)))
      .then(() => (told = holder))
      .catch((error: unknown) => {
        // It is given when the server is back, or with the next try.
        if (!(error instanceof ApiError)) throw error
      })
  })
}

let moved: Promise<Readonly<Record<string, number>>> | null = null

/** Puzzles as hard as they have turned out to be where people meet; where that is not known, as they come. */
export async function withServerRatings(puzzles: readonly Puzzle[]): Promise<readonly Puzzle[]> {
  if (untrack(() => me().mode !== 'online' || isOffline())) return puzzles
  moved ??= account.ratings()
  try {
    const ratings = await moved
    return puzzles.map((puzzle) => ({ ...puzzle, rating: ratings[puzzle.id] ?? puzzle.rating }))
  } catch (error) {
    moved = null
    if (!(error instanceof ApiError)) throw error
    return puzzles
  }
}
