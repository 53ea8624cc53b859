/** The course of a game as curves. */
import { expect, it } from 'vitest'
import { acrossOf, drawChances, drawCounts, plyAt } from '../../../src/pages/review/curves'

const BOX = { width: 100, height: 50 }

it('draws White’s chances from the bottom up, as far as they are known', () => {
  const { line, area, points } = drawChances([0.5, 1, 0], 4, BOX)
  expect(line).toBe('M0 25L25 0L50 50')
  expect(area).toBe('M0 50L0 25L25 0L50 50L50 50Z')
  expect(points).toHaveLength(3)
  expect(drawChances([], 4, BOX)).toMatchObject({ line: '', area: '' })
})

it('draws both counts in steps, below a round number', () => {
  const counts = [
    { w: 0, b: 0 },
    { w: 3, b: 0 },
    { w: 3, b: 5 },
  ]
  const drawn = drawCounts(counts, BOX)
  expect(drawn.ticks.map(({ count }) => count)).toEqual([0, 2, 4, 6])
  expect(drawn.w).toBe('M0 50H50V25H100V25')
  expect(drawn.b).toBe('M0 50H50V50H100V8.3')
  expect(drawCounts([{ w: 0, b: 0 }], BOX).w).toBe('M0 50')
})

it('knows which turn is pointed at', () => {
  expect([-0.2, 0, 0.49, 0.51, 1, 7].map((share) => plyAt(share, 10))).toEqual([0, 0, 5, 5, 10, 10])
  expect(plyAt(0.4, 0)).toBe(0)
  expect(acrossOf(5, 10, BOX)).toBe(50)
  expect(acrossOf(0, 0, BOX)).toBe(0)
})
