/** What was tried is given to the account, once each, and the account's standing is taken over. */
import { beforeEach, expect, it } from 'vitest'
import { ApiError, OFFLINE } from '../../../src/api/client'
import type { PuzzleStanding, PuzzleTry } from '../../../src/api/model'
import { type PuzzleServer, syncProgress } from '../../../src/pages/puzzles/progressSync.svelte'
import { PuzzleProgress } from '../../../src/pages/puzzles/puzzleProgress.svelte'
import { Box, Watch } from './fixtures'

/** An account that counts as the server does: the first try of each puzzle. */
class Counting implements PuzzleServer {
  readonly tried = new Map<string, boolean>()
  readonly asked: string[] = []
  bests = { best_streak: 0, best_rush: 0 }
  away = false

  #told(): PuzzleStanding {
    const solved = [...this.tried.values()].filter(Boolean).length
    return {
      rating: 1000 + 10 * solved,
      deviation: 90,
      provisional: false,
      tries: this.tried.size,
      solved,
      ...this.bests,
      days: [],
      tried: Object.fromEntries(this.tried),
    }
  }

  #ask(what: string): void {
    if (this.away) throw new ApiError(0, OFFLINE, 'away')
    this.asked.push(what)
  }

  async standing(): Promise<PuzzleStanding> {
    this.#ask('standing')
    return this.#told()
  }

  async submitTries(
    tries: readonly PuzzleTry[],
  ): Promise<{ standing: PuzzleStanding; puzzles: Record<string, number> }> {
    this.#ask(tries.map(({ puzzle }) => puzzle).join(' '))
    for (const { puzzle, solved } of tries) if (!this.tried.has(puzzle)) this.tried.set(puzzle, solved)
    return { standing: this.#told(), puzzles: {} }
  }

  async raiseBests(bests: { best_streak?: number; best_rush?: number }): Promise<PuzzleStanding> {
    this.#ask('bests')
    this.bests = { ...this.bests, ...bests }
    return this.#told()
  }
}

let progress: PuzzleProgress
let account: Counting
const watch = new Watch()
const add = (puzzle: string, solved: boolean): number | null =>
  progress.add({ puzzle, solved, mode: 'strength', rating: 1000 })

beforeEach(() => {
  progress = new PuzzleProgress(new Box(), watch.now)
  account = new Counting()
})

it('hands over what was tried before one had an account, and stands as the account says', async () => {
  add('one', true)
  add('two', false)
  progress.raiseBest('streak', 3)
  progress.setOwner('ada')
  await syncProgress(progress, account, watch.now)
  expect(account.asked).toEqual(['one two', 'bests'])
  expect([progress.pendingTries, progress.rating.rating, progress.tries]).toEqual([[], 1010, 2])
  expect(account.bests).toEqual({ best_streak: 3, best_rush: 0 })
  await syncProgress(progress, account, watch.now)
  expect(account.asked).toEqual(['one two', 'bests', 'standing'])
})

it('keeps what could not be handed over for the next time', async () => {
  progress.setOwner('ada')
  add('one', true)
  account.away = true
  await expect(syncProgress(progress, account, watch.now)).rejects.toThrow('away')
  expect(progress.pendingTries).toHaveLength(1)
  account.away = false
  add('two', true)
  await syncProgress(progress, account, watch.now)
  expect([account.asked, progress.pendingTries]).toEqual([['one two'], []])
})

it('knows what was tried on another device', async () => {
  account.tried.set('there', true)
  account.bests.best_rush = 11
  progress.setOwner('ada')
  await syncProgress(progress, account, watch.now)
  expect([progress.resultOf('there'), progress.bestRush, account.asked]).toEqual(['solved', 11, ['standing']])
  expect(add('there', false)).toBeNull()
})
