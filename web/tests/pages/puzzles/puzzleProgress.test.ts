/** What is remembered of puzzles, whatever became of the note, in every tab, and for whoever comes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { dailyStreak } from '../../../src/pages/puzzles/dailyStreak'
import { PuzzleProgress, type TryRecord } from '../../../src/pages/puzzles/puzzleProgress.svelte'
import { Box, Watch } from './fixtures'

const KEY = 'punct.puzzles'
let storage: Box
let watch: Watch
const opened = (): PuzzleProgress => new PuzzleProgress(storage, watch.now)
const tried = (puzzle: string, solved: boolean, changes: Partial<TryRecord> = {}): Omit<TryRecord, 'at'> => ({
  puzzle,
  solved,
  mode: 'strength',
  rating: 1000,
  ...changes,
})

beforeEach(() => {
  storage = new Box()
  watch = new Watch()
})

it('begins as a newcomer, and rises and falls with first tries', () => {
  const progress = opened()
  expect([progress.rating.rating, progress.tries, progress.solved]).toEqual([700, 0, 0])
  const up = progress.add(tried('one', true))
  expect(up).toBeGreaterThan(50)
  expect(Math.round(progress.rating.rating)).toBe(700 + (up ?? 0))
  const down = progress.add(tried('two', false))
  expect(down).toBeLessThan(0)
  expect([progress.tries, progress.solved]).toEqual([2, 1])
})

it('falls little by one failed puzzle, however easy that was', () => {
  const progress = opened()
  expect(progress.add({ ...tried('one', false), rating: 630 })).toBe(-60)
  expect(Math.round(progress.rating.rating)).toBe(640)
})

it.each(['streak', 'rush'] as const)('knows what was tried in a %s, and is not changed by it', (mode) => {
  const progress = opened()
  expect(progress.add({ ...tried('one', false), mode })).toBeNull()
  expect([progress.rating.rating, progress.tries, progress.resultOf('one')]).toEqual([700, 1, 'failed'])
  expect(progress.add(tried('one', true))).toBeNull() // the first try is over
})

it('counts the first try of each alone, and knows what was solved later', () => {
  const progress = opened()
  progress.add(tried('one', false))
  const { rating } = progress.rating
  expect(progress.add(tried('one', true))).toBeNull()
  expect([progress.rating.rating, progress.solved, progress.resultOf('one')]).toEqual([rating, 0, 'failed'])
  progress.addLateSolve('one')
  progress.addLateSolve('two')
  expect([progress.resultOf('one'), progress.resultOf('two'), progress.solved]).toEqual(['solved', 'new', 0])
})

it('becomes less certain with time', () => {
  const progress = opened()
  for (let number = 0; number < 12; number++) progress.add(tried(String(number), number % 2 === 0))
  const { rating, deviation } = progress.rating
  watch.time += 365 * 86_400_000
  expect(progress.rating.rating).toBe(rating)
  expect(progress.rating.deviation).toBeGreaterThan(deviation + 10)
})

it('counts days in a row, today being open until it is over', () => {
  const progress = opened()
  for (const day of ['2026-11-14', '2026-11-15', '2026-11-16'])
    progress.add(tried(`of ${day}`, true, { mode: 'day', day }))
  progress.add(tried('of today', false, { mode: 'day', day: '2026-11-17' }))
  expect([...progress.days]).toEqual(['2026-11-14', '2026-11-15', '2026-11-16'])
  expect(dailyStreak(progress.days, '2026-11-17')).toBe(3)
  expect(dailyStreak(progress.days, '2026-11-18')).toBe(0)
  expect(dailyStreak(new Set(['2024-02-28', '2024-02-29', '2024-03-01']), '2024-03-01')).toBe(3)
})

it('counts a day whose puzzle was met before, without counting the puzzle again', () => {
  const progress = opened()
  progress.add(tried('one', false))
  const { rating } = progress.rating
  expect(progress.add(tried('one', true, { mode: 'day', day: '2026-11-17' }))).toBeNull()
  expect([progress.days.has('2026-11-17'), progress.rating.rating, progress.tries]).toEqual([true, rating, 1])
})

it('keeps the best of a streak and of a rush', () => {
  const progress = opened()
  for (const solved of [4, 2]) progress.raiseBest('streak', solved)
  progress.raiseBest('rush', 2)
  expect([opened().bestStreak, opened().bestRush]).toEqual([4, 2])
})

it('is the same in every tab, and none loses what another has noted', () => {
  const [one, another] = [opened(), opened()]
  one.add(tried('one', true))
  another.add(tried('two', false))
  one.read()
  for (const progress of [one, another, opened()]) {
    expect([progress.resultOf('one'), progress.resultOf('two'), progress.tries]).toEqual(['solved', 'failed', 2])
  }
})

describe('a note', () => {
  const blank = { owner: null, known: null, tries: [], later: [], streak: 0, rush: 0 }
  const noted = { puzzle: 'one', solved: true, at: '2026-11-17T12:00:00.000Z', mode: 'day', rating: 900 }

  it('that makes sense is read', () => {
    const known = { rating: 1400, deviation: 80, tried: { two: false }, days: ['2026-11-16'], at: noted.at }
    storage.setItem(KEY, JSON.stringify({ ...blank, owner: 'ada', known, tries: [noted] }))
    const progress = opened()
    expect([progress.isBroken, progress.owner, progress.tries]).toEqual([false, 'ada', 2])
    expect(progress.rating.rating).toBeGreaterThan(1400)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"tries": []}',
    { ...blank, owner: 7 },
    { ...blank, tries: null },
    { ...blank, tries: [7] },
    { ...blank, tries: [{ ...noted, at: 'yesterday' }] },
    { ...blank, tries: [{ ...noted, mode: 'sleep' }] },
    { ...blank, tries: [{ ...noted, rating: null }] },
    { ...blank, tries: [{ ...noted, solved: 1 }] },
    { ...blank, later: [1] },
    { ...blank, streak: -1 },
    { ...blank, rush: 1.5 },
    { ...blank, known: {} },
    { ...blank, known: { rating: 1, deviation: 0, tried: {}, days: [], at: noted.at } },
    { ...blank, known: { rating: 1, deviation: 50, tried: { one: 1 }, days: [], at: noted.at } },
  ])('that is broken is put aside: %j', (written) => {
    const text = typeof written === 'string' ? written : JSON.stringify(written)
    storage.setItem(KEY, text)
    const progress = opened()
    expect([progress.isBroken, progress.tries, storage.getItem(`${KEY}.broken`)]).toEqual([true, 0, text])
    progress.add(tried('one', true))
    expect([opened().isBroken, opened().tries]).toEqual([false, 1])
  })

  it('lasts as long as the page where nothing is kept', () => {
    storage.shut = true
    const progress = opened()
    progress.add(tried('one', true))
    progress.raiseBest('rush', 3)
    expect([progress.tries, progress.bestRush, progress.isBroken]).toEqual([1, 3, false])
  })

  it('that no longer fits is known here alone, until there is room', () => {
    const progress = opened()
    progress.add(tried('one', true))
    storage.full = true
    progress.add(tried('two', true))
    progress.read()
    expect([progress.tries, opened().tries]).toEqual([2, 1])
    storage.full = false
    progress.add(tried('three', true))
    expect(opened().tries).toBe(3)
  })
})

describe('whoever comes', () => {
  it('first takes over what nobody tried', () => {
    const progress = opened()
    progress.add(tried('one', true))
    progress.raiseBest('streak', 5)
    progress.setOwner('ada')
    expect([progress.owner, progress.pendingTries.length, progress.bestStreak]).toEqual(['ada', 1, 5])
  })

  it('later does not get what another has tried, who finds it again', () => {
    const progress = opened()
    progress.setOwner('ada')
    progress.add(tried('one', true))
    progress.raiseBest('rush', 9)
    progress.setOwner('kim')
    expect([progress.tries, progress.bestRush]).toEqual([0, 0])
    progress.add(tried('two', false))
    progress.setOwner(null)
    expect(progress.tries).toBe(0)
    progress.setOwner('ada')
    expect([progress.resultOf('one'), progress.resultOf('two'), progress.bestRush]).toEqual(['solved', 'new', 9])
    expect(opened().owner).toBe('ada')
  })

  it('stands as the server says, and by what it does not know yet', () => {
    const progress = opened()
    progress.setOwner('ada')
    progress.add(tried('one', true))
    const handed = progress.pendingTries
    watch.time += 1000
    progress.add(tried('two', true))
    const known = {
      rating: 1720,
      deviation: 60,
      tried: { one: true, six: false },
      days: [],
      at: '2026-11-17T12:00:01Z',
    }
    progress.applyStanding(known, handed, { streak: 7, rush: 0 })
    expect(progress.pendingTries.map(({ puzzle }) => puzzle)).toEqual(['two'])
    expect([progress.tries, progress.solved, progress.bestStreak]).toEqual([3, 2, 7])
    expect(progress.rating.rating).toBeGreaterThan(1720)
    expect(progress.rating.rating).toBeLessThan(1730)
  })
})
