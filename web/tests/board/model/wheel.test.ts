import { describe, expect, it } from 'vitest'

import { Wheel } from '../../../src/board/model/wheel'

const PIXELS = 0
const LINES = 1
const PAGES = 2

/** How far some events in a row turn, so many milliseconds apart. */
function turns(deltas: readonly number[], { deltaMode = PIXELS, apart = 16, sideways = false } = {}): number[] {
  const wheel = new Wheel()
  return deltas.map((delta, index) =>
    wheel.headingSteps({
      deltaX: sideways ? delta : 0,
      deltaY: sideways ? 0 : delta,
      deltaMode,
      timeStamp: 1000 + index * apart,
    }),
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0)

describe('a mouse wheel', () => {
  it.each([
    ['100 pixels', PIXELS, 100],
    ['120 pixels', PIXELS, 120],
    ['three lines', LINES, 3],
    ['a page', PAGES, 1],
  ])('turns once a notch where that is %s', (_, deltaMode, notch) => {
    expect(turns(Array(12).fill(notch), { deltaMode })).toEqual(Array(12).fill(1))
    expect(turns(Array(12).fill(-notch), { deltaMode })).toEqual(Array(12).fill(-1))
  })

  it('turns once for three single lines', () => {
    expect(turns([1, 1, 1, 1, 1, 1], { deltaMode: LINES })).toEqual([0, 0, 1, 0, 0, 1])
  })

  it('turns as often as notches that come at once', () => {
    expect(turns([240])).toEqual([2])
  })
})

describe('a trackpad', () => {
  it('turns once in a hundred pixels, however they come', () => {
    expect(sum(turns(Array(150).fill(4)))).toBe(6)
    expect(sum(turns(Array(20).fill(33)))).toBe(6)
    expect(turns([1, 2, 3, 4, 5])).toEqual([0, 0, 0, 0, 0])
  })

  it('turns by sideways strokes too', () => {
    expect(sum(turns(Array(25).fill(8), { sideways: true }))).toBe(2)
  })

  it('begins anew after a pause, and when it turns round', () => {
    expect(turns([90, 90, 90], { apart: 400 })).toEqual([0, 0, 0])
    expect(turns([90, -20, -20, -20])).toEqual([0, 0, 0, 0])
    expect(turns([90, -60, -60])).toEqual([0, 0, -1])
  })
})
