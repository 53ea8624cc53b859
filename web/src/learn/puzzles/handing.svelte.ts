/** With an account: what was tried is given to the server, now and whenever it is back, and it says how one stands. */
import { untrack } from 'svelte'
import { alone } from '../../local/alone'
import { ApiError } from '../../net/client'
import { away, returns } from '../../net/connection.svelte'
import type { PuzzleStanding } from '../../net/model'
import { puzzles as account } from '../../net/puzzles'
import { me } from '../../parts/me.svelte'
import type { Puzzle } from './collection'
import type { Standing, Tried } from './standing.svelte'

export type Account = Pick<typeof account, 'standing' | 'handIn' | 'raiseBests'>

/** Give the server what it does not know of, and take over what it says. */
export async function handOver(standing: Standing, server: Account, now: () => number = Date.now): Promise<void> {
  const handed = standing.owed
  const told = handed.length ? (await server.handIn(handed.map(asTold))).standing : await server.standing()
  take(standing, told, handed, now())
  const { bestStreak: best_streak, bestRush: best_rush } = standing
  if (best_streak > told.best_streak || best_rush > told.best_rush)
    take(standing, await server.raiseBests({ best_streak, best_rush }), [], now())
}

function asTold({ puzzle, solved, at, mode, day }: Tried): Omit<Tried, 'rating'> {
  return { puzzle, solved, at, mode, ...(day && { day }) }
}

function take(standing: Standing, told: PuzzleStanding, handed: readonly Tried[], now: number): void {
  const { rating, deviation, tried, days, best_streak: streak, best_rush: rush } = told
  standing.take({ rating, deviation, tried, days, at: new Date(now).toISOString() }, handed, { streak, rush })
}

/** Whose standing the server has told since the page was opened. */
let told: string | null = null

/** Keep the standing here and that of the account the same, as long as a page shows it. */
export function keepStanding(standing: Standing): void {
  const owed = $derived(standing.owed.length)
  $effect(() => {
    returns()
    const { mode, player } = me()
    const holder = player?.login ? player.id : null
    // Where nobody answers it is not known who one is: then all stays as it was.
    if (mode !== 'online' || away()) return
    if (standing.owner !== holder) untrack(() => standing.become(holder))
    if (!holder || (told === holder && !owed)) return
    untrack(() => alone('punct.puzzles', () => handOver(standing, account)))
      .then(() => (told = holder))
      .catch((error: unknown) => {
        // It is given when the server is back, or with the next try.
        if (!(error instanceof ApiError)) throw error
      })
  })
}

let moved: Promise<Readonly<Record<string, number>>> | null = null

/** Puzzles as hard as they have turned out to be where people meet; where that is not known, as they come. */
export async function asTheyAre(puzzles: readonly Puzzle[]): Promise<readonly Puzzle[]> {
  if (untrack(() => me().mode !== 'online' || away())) return puzzles
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
