/** Puzzles one after the other: by strength, by theme, of the day, in a row, against the clock; and after a reload. */
import { beforeEach, describe, expect, it } from 'vitest'
import { placeOf, Session, today } from '../../../src/learn/puzzles/session.svelte'
import { begin, mistakesLeft, readRun, solvedIn, TIME, timeLeft } from '../../../src/learn/puzzles/runs'
import { Standing } from '../../../src/learn/puzzles/standing.svelte'
import { Box, many, Watch } from './made'

const PUZZLES = many(200)
let tab: Box
let watch: Watch
let standing: Standing

beforeEach(() => {
  tab = new Box()
  watch = new Watch()
  standing = new Standing(new Box(), watch.now)
})

const opened = (id: string, puzzles = PUZZLES): Session =>
  new Session(id, placeOf(id), puzzles, standing, { storage: tab, now: watch.now, chance: () => 0.5 })

/** Solve the one on the board, or fail, and go on. */
function go(session: Session, solved: boolean): void {
  session.decided(solved)
  if (solved) session.finished()
  session.next()
}

it('knows its addresses', () => {
  expect(placeOf('day')).toEqual({ mode: 'day' })
  expect(placeOf('clock')).toEqual({ mode: 'rush' })
  expect(placeOf('theme/win-2')).toEqual({ mode: 'theme', subject: 'win-2' })
  expect(placeOf('theme/chess')).toEqual({ mode: 'one', puzzle: 'theme/chess' })
  expect(placeOf('k3v9qa')).toEqual({ mode: 'one', puzzle: 'k3v9qa' })
  expect(today(Date.parse('2026-11-17T23:59:59.999Z'))).toBe('2026-11-17')
})

describe('at one’s strength', () => {
  it('begins with wins in one turn, and goes on with the rest', () => {
    const mixed = PUZZLES.map((puzzle, number) => (number % 4 ? { ...puzzle, goal: 'hold' as const } : puzzle))
    const session = opened('strength', mixed)
    const goals = []
    for (let number = 0; number < 5; number++) {
      goals.push(session.puzzle?.goal)
      go(session, true)
    }
    expect(goals).toEqual(Array(5).fill('win'))
    const rest = Array.from({ length: 20 }, () => (go(session, true), session.puzzle?.goal))
    expect(rest).toContain('hold')
  })

  it('is near the rating, always another one, and says by how much the rating changed', () => {
    const session = opened('strength')
    const met = new Set<string>()
    for (let number = 0; number < 30; number++) {
      const puzzle = session.puzzle
      expect(met.has(puzzle?.id ?? '')).toBe(false)
      expect(Math.abs((puzzle?.rating ?? 0) - standing.rating.rating)).toBeLessThan(200)
      met.add(puzzle?.id ?? '')
      session.decided(number % 2 === 0)
      expect(Math.sign(session.change ?? 0)).toBe(number % 2 === 0 ? 1 : -1)
      session.next()
      expect(session.change).toBeNull()
    }
    expect(standing.tries).toBe(30)
  })

  it('is the same after a reload, until it is solved', () => {
    const before = opened('strength').puzzle
    expect(opened('strength').puzzle).toBe(before)
    const session = opened('strength')
    session.decided(false)
    expect([opened('strength').puzzle, opened('strength').known]).toEqual([before, true])
    session.finished()
    expect(opened('strength').puzzle).not.toBe(before)
    expect(standing.before(before?.id ?? '')).toBe('solved')
  })

  it('does not need the browser to remember', () => {
    tab.shut = true
    const session = opened('strength')
    go(session, true)
    expect([session.puzzle !== null, standing.solved]).toEqual([true, 1])
  })
})

it('keeps to a theme, and ends with it', () => {
  const few = PUZZLES.slice(0, 9)
  const session = opened('theme/bridge', few)
  for (let number = 0; number < 3; number++) {
    expect(session.puzzle?.themes).toEqual(['bridge'])
    go(session, true)
  }
  // All are known now: they come again.
  expect([session.puzzle?.themes, session.known]).toEqual([['bridge'], true])
  expect(opened('theme/count').puzzle).toBeNull()
})

it('comes back to those that were missed, until they are solved', () => {
  for (const [puzzle, solved] of [
    ['p1', false],
    ['p2', true],
    ['p3', false],
  ] as const)
    standing.add({ puzzle, solved, mode: 'strength', rating: 600 })
  const session = opened('theme/missed')
  const seen = new Set<string>()
  for (let number = 0; number < 2; number++) {
    seen.add(session.puzzle?.id ?? '')
    go(session, true)
  }
  expect([[...seen].sort(), session.puzzle, session.met.length]).toEqual([['p1', 'p3'], null, 2])
})

it('has one puzzle a day, which counts for the day', () => {
  const session = opened('day')
  expect(session.puzzle?.rating).toBeGreaterThanOrEqual(1200)
  session.decided(true)
  expect([...standing.days]).toEqual(['2026-11-17'])
  expect([opened('day').puzzle, opened('day').known]).toEqual([session.puzzle, true])
  watch.time += 86_400_000
  expect(opened('day').day).toBe('2026-11-18')
})

it('counts a day whose puzzle was solved at last', () => {
  const session = opened('day')
  session.decided(false)
  expect(standing.days.size).toBe(0)
  session.finished()
  session.finished()
  expect([[...standing.days], standing.solved, standing.owed.length]).toEqual([['2026-11-17'], 0, 2])
})

it('shows one by its name, or none', () => {
  const session = opened('p7')
  expect([session.puzzle?.id, opened('nothing').puzzle]).toEqual(['p7', null])
  session.decided(true)
  expect(standing.owed[0]?.mode).toBe('strength')
})

describe('a streak', () => {
  it('is harder and harder until the first mistake, and is remembered if it was the best', () => {
    const session = opened('streak')
    const ratings: number[] = []
    for (let number = 0; number < 20; number++) {
      ratings.push(session.puzzle?.rating ?? 0)
      go(session, true)
    }
    expect(ratings[0]).toBeLessThan(750)
    expect(ratings[19]).toBeGreaterThan((ratings[0] ?? 0) + 500)
    expect(session.over).toBe(false)
    session.decided(false)
    expect([session.over, session.best, standing.bestStreak]).toEqual([true, true, 20])
    session.start()
    expect([session.over, session.best, session.run?.met]).toEqual([false, false, []])
    session.decided(false)
    expect([session.over, session.best, standing.bestStreak]).toEqual([true, false, 20])
  })

  it('goes on after a reload, and begins anew after its end', () => {
    const session = opened('streak')
    go(session, true)
    go(session, true)
    const again = opened('streak')
    expect([again.puzzle, again.run && solvedIn(again.run)]).toEqual([session.puzzle, 2])
    expect(again.best).toBe(true)
    again.decided(false)
    const anew = opened('streak')
    expect([anew.over, anew.run && solvedIn(anew.run)]).toEqual([false, 0])
  })
})

describe('against the clock', () => {
  it('waits to be started, and ends after three minutes', () => {
    const session = opened('clock')
    expect([session.run, session.puzzle]).toEqual([null, null])
    session.start()
    for (let number = 0; number < 4; number++) {
      watch.time += 30_000
      go(session, true)
    }
    expect([session.over, session.run && timeLeft(session.run, watch.time)]).toEqual([false, TIME - 120_000])
    watch.time += 60_000
    session.decided(true)
    // Too late: it counts neither here nor for the rating.
    expect([session.over, session.run && solvedIn(session.run), standing.bestRush]).toEqual([true, 4, 4])
    expect(standing.tries).toBe(4)
  })

  it('ends with the third mistake', () => {
    const session = opened('clock')
    session.start()
    go(session, true)
    go(session, false)
    go(session, false)
    expect([session.over, session.run && mistakesLeft(session.run)]).toEqual([false, 1])
    session.decided(false)
    expect([session.over, standing.bestRush, session.run?.met.length]).toEqual([true, 1, 4])
  })

  it('runs on while the page is reloaded', () => {
    const session = opened('clock')
    session.start()
    go(session, true)
    watch.time += 100_000
    const again = opened('clock')
    expect([again.puzzle, again.over, again.run?.ends]).toEqual([session.puzzle, false, session.run?.ends])
    watch.time += 100_000
    expect(opened('clock').run).toBeNull()
  })

  it('may be given up', () => {
    const session = opened('clock')
    session.start()
    session.giveUp()
    expect([session.over, opened('clock').run]).toEqual([true, null])
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
  expect(timeLeft(begin('streak', 0, 0), 1e12)).toBe(Infinity)
})

describe('a run that is reloaded', () => {
  it.each(['streak', 'clock'])('after a solution goes on with the next puzzle, and counts it once: %s', (id) => {
    const session = opened(id)
    if (id === 'clock') session.start()
    const first = session.puzzle
    session.decided(true)
    session.finished()
    for (let reloads = 0; reloads < 3; reloads++) {
      const again = opened(id)
      expect(again.puzzle).not.toBe(first)
      expect(again.run && solvedIn(again.run)).toBe(1)
    }
    const again = opened(id)
    again.decided(true)
    again.decided(true)
    expect(again.run && solvedIn(again.run)).toBe(2)
  })
})

it('has no two streaks in a row begin alike, not even after a reload', () => {
  const met = (session: Session): string[] => {
    const found = []
    for (let number = 0; number < 3; number++) {
      found.push(session.puzzle?.id ?? '')
      session.decided(true)
      session.next()
    }
    session.decided(false)
    return found
  }
  const session = opened('streak')
  const first = met(session)
  session.start()
  const second = met(session)
  const third = met(opened('streak')) // what is over is not gone on with
  expect(new Set([...first, ...second]).size).toBe(6)
  expect(new Set([...second, ...third]).size).toBe(6)
})
