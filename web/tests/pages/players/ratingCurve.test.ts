/** A rating's course: within its box, whatever the numbers. */
import { describe, expect, it } from 'vitest'

import type { CurvePoint } from '../../../src/api/model'
import { drawCurve } from '../../../src/pages/players/ratingCurve'

const BOX = { width: 300, height: 100 }
const point = (rating: number, deviation: number): CurvePoint => ({
  at: '2026-05-01T12:00:00Z',
  before: rating,
  rating,
  deviation,
  game: 'c0ffee',
})

/** All points that a path goes through. */
function places(path: string): [number, number][] {
  return [...path.matchAll(/([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
}

describe('a curve', () => {
  it('is nothing without games', () => {
    expect(drawCurve([], BOX)).toMatchObject({ line: '', band: '', dots: [] })
  })

  it('is one dot in the middle after one', () => {
    const { dots, line } = drawCurve([point(1500, 200)], BOX)
    expect(dots).toEqual([{ x: 150, y: 50 }])
    expect(line).toBe('M150 50')
  })

  it('goes from side to side, a step for each game, and upwards as the rating does', () => {
    const { dots, line } = drawCurve([point(1400, 50), point(1500, 50), point(1450, 50)], BOX)
    expect(dots.map(({ x }) => x)).toEqual([0, 150, 300])
    const [first, second, third] = dots.map(({ y }) => y) as [number, number, number]
    expect(second).toBeLessThan(third)
    expect(third).toBeLessThan(first)
    expect(places(line)).toEqual(dots.map(({ x, y }) => [x, y]))
  })

  it.each([
    [[1500, 350]],
    [[1500, 0]],
    [
      [1500, 350],
      [1662, 290],
      [1200, 240],
    ],
    [
      [100, 30],
      [2900, 30],
    ],
    [
      [-40, 60],
      [20, 60],
    ],
  ])('with its band stays within the box, between its ticks: %j', (...ratings) => {
    const points = ratings.map((pair) => point(pair[0] as number, pair[1] as number))
    const { band, dots, ticks } = drawCurve(points, BOX)
    for (const [x, y] of [...places(band), ...dots.map(({ x, y }): [number, number] => [x, y])]) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(BOX.width)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(BOX.height)
    }
    expect(places(band)).toHaveLength(2 * points.length)
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    expect(ticks.length).toBeLessThanOrEqual(7)
    expect(ticks[0]?.y).toBe(BOX.height)
    expect(ticks.at(-1)?.y).toBe(0)
    for (const { rating } of ticks) expect(rating % 10).toBeCloseTo(0)
  })
})
