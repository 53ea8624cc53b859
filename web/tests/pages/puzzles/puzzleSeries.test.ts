/** Puzzles one after the other: by strength, by theme, of the day, in a row, against the clock; and after a reload. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PuzzleProgress } from '../../../src/pages/puzzles/puzzleProgress.svelte'
import { PuzzleSeries, routeOf, today } from '../../../src/pages/puzzles/puzzleSeries.svelte'
import { mistakesLeft, newRun, readRun, RUSH_MS, solvedIn, timeLeft } from '../../../src/pages/puzzles/runs'
import { Box, many, Watch } from './fixtures'

const PUZZLES = many(200)
let tab: Box
let watch: Watch
let progress: PuzzleProgress

beforeEach(() => {
  tab = new Box()
  watch = new Watch()
  progress = new PuzzleProgress(new Box(), watch.now)
})

const opened = (id: string, puzzles = PUZZLES): PuzzleSeries =>
  new PuzzleSeries(id, routeOf(id), puzzles, progress, { storage: tab, now: watch.now, random: () => 0.5 })

/** Solve the one on the board, or fail, and go on. */
function go(series: PuzzleSeries, solved: boolean): void {
  series.storeResult(solved)
  if (solved) series.storeSolved()
  series.next()
}

it('knows its addresses', () => {
  expect(routeOf('day')).toEqual({ mode: 'day' })
  expect(routeOf('clock')).toEqual({ mode: 'rush' })
  expect(routeOf('theme/win-2')).toEqual({ mode: 'theme', subject: 'win-2' })
  expect(routeOf('theme/chess')).toEqual({ mode: 'one', puzzle: 'theme/chess' })
  expect(routeOf('k3v9qa')).toEqual({ mode: 'one', puzzle: 'k3v9qa' })
  expect(today(Date.parse('2026-11-17T23:59:59.999Z'))).toBe('2026-11-17')
})

describe('at one’s strength', () => {
  it('begins with wins in one turn, and goes on with the rest', () => {
    const mixed = PUZZLES.map((puzzle, number) => (number % 4 ? { ...puzzle, goal: 'hold' as const } : puzzle))
    const series = opened('strength', mixed)
    const goals = []
    for (let number = 0; number < 5; number++) {
      goals.push(series.puzzle?.goal)
      go(series, true)
    }
    expect(goals).toEqual(Array(5).fill('win'))
    const rest = Array.from({ length: 20 }, () => (go(series, true), series.puzzle?.goal))
    expect(rest).toContain('hold')
  })

  it('is near the rating, always another one, and says by how much the rating changed', () => {
    const series = opened('strength')
    const met = new Set<string>()
    for (let number = 0; number < 30; number++) {
      const puzzle = series.puzzle
      expect(met.has(puzzle?.id ?? '')).toBe(false)
      expect(Math.abs((puzzle?.rating ?? 0) - progress.rating.rating)).toBeLessThan(200)
      met.add(puzzle?.id ?? '')
      series.storeResult(number % 2 === 0)
      expect(Math.sign(series.change ?? 0)).toBe(number % 2 === 0 ? 1 : -1)
      series.next()
      expect(series.change).toBeNull()
    }
    expect(progress.tries).toBe(30)
  })

  it('is the same after a reload, until it is solved', () => {
    const before = opened('strength').puzzle
    expect(opened('strength').puzzle).toBe(before)
    const series = opened('strength')
    series.storeResult(false)
    expect([opened('strength').puzzle, opened('strength').isKnown]).toEqual([before, true])
    series.storeSolved()
    expect(opened('strength').puzzle).not.toBe(before)
    expect(progress.resultOf(before?.id ?? '')).toBe('solved')
  })

  it('does not need the browser to remember', () => {
    tab.shut = true
    const series = opened('strength')
    go(series, true)
    expect([series.puzzle !== null, progress.solved]).toEqual([true, 1])
  })
})

it('keeps to a theme, and ends with it', () => {
  const few = PUZZLES.slice(0, 9)
  const series = opened('theme/bridge', few)
  for (let number = 0; number < 3; number++) {
    expect(series.puzzle?.themes).toEqual(['bridge'])
    go(series, true)
  }
  // All are known now: they come again.
  expect([series.puzzle?.themes, series.isKnown]).toEqual([['bridge'], true])
  expect(opened('theme/count').puzzle).toBeNull()
})

it('comes back to those that were missed, until they are solved', () => {
  for (const [puzzle, solved] of [
    ['p1', false],
    ['p2', true],
    ['p3', false],
  ] as const)
    progress.add({ puzzle, solved, mode: 'strength', rating: 600 })
  const series = opened('theme/missed')
  const seen = new Set<string>()
  for (let number = 0; number < 2; number++) {
    seen.add(series.puzzle?.id ?? '')
    go(series, true)
  }
  expect([[...seen].sort(), series.puzzle, series.results.length]).toEqual([['p1', 'p3'], null, 2])
})

it('has one puzzle a day, which counts for the day', () => {
  const series = opened('day')
  expect(series.puzzle?.rating).toBeGreaterThanOrEqual(1200)
  series.storeResult(true)
  expect([...progress.days]).toEqual(['2026-11-17'])
  expect([opened('day').puzzle, opened('day').isKnown]).toEqual([series.puzzle, true])
  watch.time += 86_400_000
  expect(opened('day').day).toBe('2026-11-18')
})

it('counts a day whose puzzle was solved at last', () => {
  const series = opened('day')
  series.storeResult(false)
  expect(progress.days.size).toBe(0)
  series.storeSolved()
  series.storeSolved()
  expect([[...progress.days], progress.solved, progress.pendingTries.length]).toEqual([['2026-11-17'], 0, 2])
})

it('shows one by its name, or none', () => {
  const series = opened('p7')
  expect([series.puzzle?.id, opened('nothing').puzzle]).toEqual(['p7', null])
  series.storeResult(true)
  expect(progress.pendingTries[0]?.mode).toBe('strength')
})

describe('a streak', () => {
  it('is harder and harder until the first mistake, and is remembered if it was the best', () => {
    const series = opened('streak')
    const ratings: number[] = []
    for (let number = 0; number < 20; number++) {
      ratings.push(series.puzzle?.rating ?? 0)
      go(series, true)
    }
    expect(ratings[0]).toBeLessThan(750)
    expect(ratings[19]).toBeGreaterThan((ratings[0] ?? 0) + 500)
    expect(series.isOver).toBe(false)
    series.storeResult(false)
    expect([series.isOver, series.isBest, progress.bestStreak]).toEqual([true, true, 20])
    series.start()
    expect([series.isOver, series.isBest, series.run?.met]).toEqual([false, false, []])
    series.storeResult(false)
    expect([series.isOver, series.isBest, progress.bestStreak]).toEqual([true, false, 20])
  })

  it('goes on after a reload, and begins anew after its end', () => {
    const series = opened('streak')
    go(series, true)
    go(series, true)
    const again = opened('streak')
    expect([again.puzzle, again.run && solvedIn(again.run)]).toEqual([series.puzzle, 2])
    expect(again.isBest).toBe(true)
    again.storeResult(false)
    const anew = opened('streak')
    expect([anew.isOver, anew.run && solvedIn(anew.run)]).toEqual([false, 0])
  })
})

describe('against the clock', () => {
  it('waits to be started, and ends after three minutes', () => {
    const series = opened('clock')
    expect([series.run, series.puzzle]).toEqual([null, null])
    series.start()
    for (let number = 0; number < 4; number++) {
      watch.time += 30_000
      go(series, true)
    }
    expect([series.isOver, series.run && timeLeft(series.run, watch.time)]).toEqual([false, RUSH_MS - 120_000])
    watch.time += 60_000
    series.storeResult(true)
    // Too late: it counts neither here nor for the rating.
    expect([series.isOver, series.run && solvedIn(series.run), progress.bestRush]).toEqual([true, 4, 4])
    expect(progress.tries).toBe(4)
  })

  it('ends with the third mistake', () => {
    const series = opened('clock')
    series.start()
    go(series, true)
    go(series, false)
    go(series, false)
    expect([series.isOver, series.run && mistakesLeft(series.run)]).toEqual([false, 1])
    series.storeResult(false)
    expect([series.isOver, progress.bestRush, series.run?.met.length]).toEqual([true, 1, 4])
  })

  it('runs on while the page is reloaded', () => {
    const series = opened('clock')
    series.start()
    go(series, true)
    watch.time += 100_000
    const again = opened('clock')
    expect([again.puzzle, again.isOver, again.run?.ends]).toEqual([series.puzzle, false, series.run?.ends])
    watch.time += 100_000
    expect(opened('clock').run).toBeNull()
  })

  it('may be given up', () => {
    const series = opened('clock')
    series.start()
    series.giveUp()
    expect([series.isOver, opened('clock').run]).toEqual([true, null])
  })
})

it.each([
  ['{', 'streak'],
  ['{"mode":"rush","met":[],"now":"p1","ends":1}', 'streak'],
  ['{"mode":"streak","met":[7],"now":"p1","ends":null}', 'streak'],
  ['{"mode":"streak","met":[{"puzzle":1,"solved":true}],"now":"p1","ends":null}', 'streak'],
  ['{"mode":"streak","met":[],"now":null,"ends":null}', 'streak'],
  ['{"mode":"rush","met":[],"now":"p1","ends":null}', 'rush'],
] as const)('begins anew where the note makes no sense: %s', (noted, mode) => {
  tab.setItem('punct.puzzles.run', noted)
  expect(readRun(tab, mode)).toBeNull()
})

it('has no time to lose without a clock', () => {
  expect(timeLeft(newRun('streak', 0, 0), 1e12)).toBe(Infinity)
})

describe('a run that is reloaded', () => {
  it.each(['streak', 'clock'])('after a solution goes on with the next puzzle, and counts it once: %s', (id) => {
    const series = opened(id)
    if (id === 'clock') series.start()
    const first = series.puzzle
    series.storeResult(true)
    series.storeSolved()
    for (let reloads = 0; reloads < 3; reloads++) {
      const again = opened(id)
      expect(again.puzzle).not.toBe(first)
      expect(again.run && solvedIn(again.run)).toBe(1)
    }
    const again = opened(id)
    again.storeResult(true)
    again.storeResult(true)
    expect(again.run && solvedIn(again.run)).toBe(2)
  })
})

it('has no two streaks in a row begin alike, not even after a reload', () => {
  const met = (series: PuzzleSeries): string[] => {
    const found = []
    for (let number = 0; number < 3; number++) {
      found.push(series.puzzle?.id ?? '')
      series.storeResult(true)
      series.next()
    }
    series.storeResult(false)
    return found
  }
  const series = opened('streak')
  const first = met(series)
  series.start()
  const second = met(series)
  const third = met(opened('streak')) // what is over is not gone on with
  expect(new Set([...first, ...second]).size).toBe(6)
  expect(new Set([...second, ...third]).size).toBe(6)
})
