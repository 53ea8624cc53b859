import { beforeEach, describe, expect, it } from 'vitest'

import type { Frame } from '../../../src/board/model/projection'
import { zoomFrame, MAX_ZOOM, Fingers, panFrame } from '../../../src/board/model/zoom'

const WHOLE: Frame = { x: -300, y: -400, width: 600, height: 800 }
const PLACE = { left: 10, top: 20, width: 300, height: 400 }

let shown: Frame
let fingers: Fingers

beforeEach(() => {
  shown = WHOLE
  fingers = new Fingers({
    fullFrame: () => WHOLE,
    visibleFrame: () => shown,
    rectangle: () => PLACE,
    show: (frame) => (shown = frame),
  })
})

/** The point of the drawing at a place on the screen. */
function under(x: number, y: number): { x: number; y: number } {
  return {
    x: shown.x + ((x - PLACE.left) / PLACE.width) * shown.width,
    y: shown.y + ((y - PLACE.top) / PLACE.height) * shown.height,
  }
}

describe('two fingers', () => {
  it('bring the board closer, and what lay between them stays there', () => {
    const before = under(110, 220)
    expect(fingers.down(1, { x: 90, y: 220 })).toBe(false)
    expect(fingers.down(2, { x: 130, y: 220 })).toBe(true)
    fingers.move(1, { x: 70, y: 220 })
    expect(fingers.move(2, { x: 150, y: 220 })).toBe(true)
    expect(shown.width).toBeCloseTo(WHOLE.width / 2)
    expect(shown.height).toBeCloseTo(WHOLE.height / 2)
    expect(under(110, 220).x).toBeCloseTo(before.x)
    expect(under(110, 220).y).toBeCloseTo(before.y)
  })

  it('move the board when they move together', () => {
    shown = zoomFrame(WHOLE, 2, { x: 0, y: 0 }, { x: 0.5, y: 0.5 })
    const before = under(160, 220)
    fingers.down(1, { x: 140, y: 220 })
    fingers.down(2, { x: 180, y: 220 })
    fingers.move(1, { x: 120, y: 240 })
    fingers.move(2, { x: 160, y: 240 })
    expect(under(140, 240).x).toBeCloseTo(before.x)
    expect(under(140, 240).y).toBeCloseTo(before.y)
  })

  it('go no closer than three times, and back to the whole', () => {
    fingers.down(1, { x: 150, y: 220 })
    fingers.down(2, { x: 160, y: 220 })
    fingers.move(2, { x: 310, y: 220 })
    expect(shown.width).toBeCloseTo(WHOLE.width / MAX_ZOOM)
    fingers.move(2, { x: 160, y: 220 })
    expect(shown).toBe(WHOLE)
    fingers.move(2, { x: 151, y: 220 })
    expect(shown).toBe(WHOLE)
  })

  it('pinch until the last has left, so that none of them taps', () => {
    fingers.down(1, { x: 100, y: 100 })
    fingers.down(2, { x: 200, y: 100 })
    expect(fingers.up(1)).toBe(true)
    const before = shown
    expect(fingers.move(2, { x: 150, y: 150 })).toBe(true)
    expect(shown).toBe(before)
    expect(fingers.up(2)).toBe(true)
    expect(fingers.down(3, { x: 100, y: 100 })).toBe(false)
    expect(fingers.move(3, { x: 120, y: 100 })).toBe(false)
    expect(fingers.up(3)).toBe(false)
  })

  it('take hold anew when one of three leaves', () => {
    for (const finger of [1, 2, 3]) fingers.down(finger, { x: 60 + finger * 40, y: 200 })
    fingers.up(1)
    fingers.move(2, { x: 120, y: 200 })
    fingers.move(3, { x: 200, y: 200 })
    expect(shown.width).toBeCloseTo(WHOLE.width / 2)
  })

  it('are none of ours when they came down elsewhere', () => {
    expect(fingers.move(9, { x: 1, y: 1 })).toBe(false)
    expect(fingers.up(9)).toBe(false)
  })
})

describe('a part of the board', () => {
  it('never reaches beyond its edges', () => {
    const corner = zoomFrame(WHOLE, 2, { x: -300, y: -400 }, { x: 0.5, y: 0.5 })
    expect(corner).toEqual({ x: -300, y: -400, width: 300, height: 400 })
    expect(panFrame(WHOLE, corner, { x: -50, y: 60 })).toEqual({ ...corner, y: -340 })
    expect(panFrame(WHOLE, corner, { x: 999, y: 999 })).toEqual({ ...corner, x: 0, y: 0 })
  })
})
