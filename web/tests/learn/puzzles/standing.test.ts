/** What is remembered of puzzles, whatever became of the note, in every tab, and for whoever comes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { inARow } from '../../../src/learn/puzzles/days'
import { Standing, type Tried } from '../../../src/learn/puzzles/standing.svelte'
import { Box, Watch } from './made'

const KEY = 'punct.puzzles'
let shelf: Box
let watch: Watch
const opened = (): Standing => new Standing(shelf, watch.now)
const tried = (puzzle: string, solved: boolean, changes: Partial<Tried> = {}): Omit<Tried, 'at'> => ({
  puzzle,
  solved,
  mode: 'strength',
  rating: 1000,
  ...changes,
})

beforeEach(() => {
  shelf = new Box()
  watch = new Watch()
})

it('begins as a newcomer, and rises and falls with first tries', () => {
  const standing = opened()
  expect([standing.rating.rating, standing.tries, standing.solved]).toEqual([700, 0, 0])
  const up = standing.add(tried('one', true))
  expect(up).toBeGreaterThan(50)
  expect(Math.round(standing.rating.rating)).toBe(700 + (up ?? 0))
  const down = standing.add(tried('two', false))
  expect(down).toBeLessThan(0)
  expect([standing.tries, standing.solved]).toEqual([2, 1])
})

it('falls little by one failed puzzle, however easy that was', () => {
  const standing = opened()
  expect(standing.add({ ...tried('one', false), rating: 630 })).toBe(-60)
  expect(Math.round(standing.rating.rating)).toBe(640)
})

it.each(['streak', 'rush'] as const)('knows what was tried in a %s, and is not changed by it', (mode) => {
  const standing = opened()
  expect(standing.add({ ...tried('one', false), mode })).toBeNull()
  expect([standing.rating.rating, standing.tries, standing.before('one')]).toEqual([700, 1, 'failed'])
  expect(standing.add(tried('one', true))).toBeNull() // the first try is over
})

it('counts the first try of each alone, and knows what was solved later', () => {
  const standing = opened()
  standing.add(tried('one', false))
  const { rating } = standing.rating
  expect(standing.add(tried('one', true))).toBeNull()
  expect([standing.rating.rating, standing.solved, standing.before('one')]).toEqual([rating, 0, 'failed'])
  standing.solveLater('one')
  standing.solveLater('two')
  expect([standing.before('one'), standing.before('two'), standing.solved]).toEqual(['solved', 'new', 0])
})

it('becomes less certain with time', () => {
  const standing = opened()
  for (let number = 0; number < 12; number++) standing.add(tried(String(number), number % 2 === 0))
  const { rating, deviation } = standing.rating
  watch.time += 365 * 86_400_000
  expect(standing.rating.rating).toBe(rating)
  expect(standing.rating.deviation).toBeGreaterThan(deviation + 10)
})

it('counts days in a row, today being open until it is over', () => {
  const standing = opened()
  for (const day of ['2026-11-14', '2026-11-15', '2026-11-16'])
    standing.add(tried(`of ${day}`, true, { mode: 'day', day }))
  standing.add(tried('of today', false, { mode: 'day', day: '2026-11-17' }))
  expect([...standing.days]).toEqual(['2026-11-14', '2026-11-15', '2026-11-16'])
  expect(inARow(standing.days, '2026-11-17')).toBe(3)
  expect(inARow(standing.days, '2026-11-18')).toBe(0)
  expect(inARow(new Set(['2024-02-28', '2024-02-29', '2024-03-01']), '2024-03-01')).toBe(3)
})

it('counts a day whose puzzle was met before, without counting the puzzle again', () => {
  const standing = opened()
  standing.add(tried('one', false))
  const { rating } = standing.rating
  expect(standing.add(tried('one', true, { mode: 'day', day: '2026-11-17' }))).toBeNull()
  expect([standing.days.has('2026-11-17'), standing.rating.rating, standing.tries]).toEqual([true, rating, 1])
})

it('keeps the best of a streak and of a rush', () => {
  const standing = opened()
  for (const solved of [4, 2]) standing.reach('streak', solved)
  standing.reach('rush', 2)
  expect([opened().bestStreak, opened().bestRush]).toEqual([4, 2])
})

it('is the same in every tab, and none loses what another has noted', () => {
  const [one, another] = [opened(), opened()]
  one.add(tried('one', true))
  another.add(tried('two', false))
  one.read()
  for (const standing of [one, another, opened()]) {
    expect([standing.before('one'), standing.before('two'), standing.tries]).toEqual(['solved', 'failed', 2])
  }
})

describe('a note', () => {
  const blank = { owner: null, known: null, tries: [], later: [], streak: 0, rush: 0 }
  const noted = { puzzle: 'one', solved: true, at: '2026-11-17T12:00:00.000Z', mode: 'day', rating: 900 }

  it('that makes sense is read', () => {
    const known = { rating: 1400, deviation: 80, tried: { two: false }, days: ['2026-11-16'], at: noted.at }
    shelf.setItem(KEY, JSON.stringify({ ...blank, owner: 'ada', known, tries: [noted] }))
    const standing = opened()
    expect([standing.broken, standing.owner, standing.tries]).toEqual([false, 'ada', 2])
    expect(standing.rating.rating).toBeGreaterThan(1400)
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
    shelf.setItem(KEY, text)
    const standing = opened()
    expect([standing.broken, standing.tries, shelf.getItem(`${KEY}.broken`)]).toEqual([true, 0, text])
    standing.add(tried('one', true))
    expect([opened().broken, opened().tries]).toEqual([false, 1])
  })

  it('lasts as long as the page where nothing is kept', () => {
    shelf.shut = true
    const standing = opened()
    standing.add(tried('one', true))
    standing.reach('rush', 3)
    expect([standing.tries, standing.bestRush, standing.broken]).toEqual([1, 3, false])
  })

  it('that no longer fits is known here alone, until there is room', () => {
    const standing = opened()
    standing.add(tried('one', true))
    shelf.full = true
    standing.add(tried('two', true))
    standing.read()
    expect([standing.tries, opened().tries]).toEqual([2, 1])
    shelf.full = false
    standing.add(tried('three', true))
    expect(opened().tries).toBe(3)
  })
})

describe('whoever comes', () => {
  it('first takes over what nobody tried', () => {
    const standing = opened()
    standing.add(tried('one', true))
    standing.reach('streak', 5)
    standing.become('ada')
    expect([standing.owner, standing.owed.length, standing.bestStreak]).toEqual(['ada', 1, 5])
  })

  it('later does not get what another has tried, who finds it again', () => {
    const standing = opened()
    standing.become('ada')
    standing.add(tried('one', true))
    standing.reach('rush', 9)
    standing.become('kim')
    expect([standing.tries, standing.bestRush]).toEqual([0, 0])
    standing.add(tried('two', false))
    standing.become(null)
    expect(standing.tries).toBe(0)
    standing.become('ada')
    expect([standing.before('one'), standing.before('two'), standing.bestRush]).toEqual(['solved', 'new', 9])
    expect(opened().owner).toBe('ada')
  })

  it('stands as the server says, and by what it does not know yet', () => {
    const standing = opened()
    standing.become('ada')
    standing.add(tried('one', true))
    const handed = standing.owed
    watch.time += 1000
    standing.add(tried('two', true))
    const known = {
      rating: 1720,
      deviation: 60,
      tried: { one: true, six: false },
      days: [],
      at: '2026-11-17T12:00:01Z',
    }
    standing.take(known, handed, { streak: 7, rush: 0 })
    expect(standing.owed.map(({ puzzle }) => puzzle)).toEqual(['two'])
    expect([standing.tries, standing.solved, standing.bestStreak]).toEqual([3, 2, 7])
    expect(standing.rating.rating).toBeGreaterThan(1720)
    expect(standing.rating.rating).toBeLessThan(1730)
  })
})
