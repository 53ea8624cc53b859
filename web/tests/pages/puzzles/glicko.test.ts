/** The browser counts as the server does: what that makes of tries is in a file (tests/web/test_puzzle_ratings.py). */
import { expect, it } from 'vitest'
import { afterTry, afterPause, isProvisional, NEWCOMER, type Rating } from '../../../src/pages/puzzles/glicko'
import kept from '../../fixtures/puzzle_ratings.json'

const DAY = 86_400_000

it.each(kept.map((script) => [script.begin[0], script] as const))('from %d on', (_, { begin, tries, ratings }) => {
  const [rating, deviation, volatility] = begin as [number, number, number]
  let now: Rating = { rating, deviation, volatility }
  tries.forEach(([days, puzzle, solved], index) => {
    now = afterTry(afterPause(now, Number(days) * DAY), Number(puzzle), solved === true)
    const [rated = 0, uncertain = 0, unsteady = 0] = ratings[index] ?? []
    expect(now.rating).toBeCloseTo(rated, 3)
    expect(now.deviation).toBeCloseTo(uncertain, 3)
    expect(now.volatility).toBeCloseTo(unsteady, 5)
  })
})

it('is not relied on at first, and is after some tries', () => {
  let now = NEWCOMER
  expect(isProvisional(now)).toBe(true)
  for (let tried = 0; tried < 20; tried++) now = afterTry(now, now.rating, tried % 2 === 0)
  expect(isProvisional(now)).toBe(false)
  expect(afterPause(now, -DAY)).toEqual(now)
})
