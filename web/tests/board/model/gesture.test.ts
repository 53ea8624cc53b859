import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Action } from '../../../src/board/model/entry'
import {
  Gesture,
  HOVER_DELAY_MS,
  LENS_DELAY_MS,
  LONG_PRESS_MS,
  type GestureTarget,
} from '../../../src/board/model/gesture'
import { nearest } from '../../../src/board/model/projection'
import { type Point, SPACING } from '../../../src/board/model/shape'
import { SHAPE } from '../../support/positions'

const MOUSE = { isTouch: false, clearance: 0 }
const FINGER = { isTouch: true, clearance: 2 * SPACING }
const SET = { clientX: 500, clientY: 0, pointerType: 'mouse' }
const at = (name: string): Point => SHAPE.at(name)

let actions: Action[]
let peeks: (string | null)[]
let lenses: (Point | null)[]

function gesture(changes: Partial<GestureTarget> = {}): Gesture {
  const places = SHAPE.spaces.map((space) => [space.name, space] as const)
  return new Gesture({
    aimAt: (point) => {
      const space = nearest(point, places, SPACING)
      return space ? { space, snapped: false } : null
    },
    handleAt: () => null,
    gripAt: (space) => (space === 'd5' ? 'piece' : null),
    act: (action) => actions.push(action),
    locate: ({ clientX, clientY }) => ({ point: { x: clientX, y: clientY }, touchInfo: MOUSE }),
    isAimable: () => false,
    magnify: (point) => lenses.push(point),
    pan: () => false,
    peek: (space) => peeks.push(space) > 0,
    ...changes,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  actions = []
  peeks = []
  lenses = []
})
afterEach(() => vi.useRealTimers())

describe('a press', () => {
  it('that stays is a tap', () => {
    const hand = gesture()
    hand.press(at('d5'), MOUSE)
    hand.move({ x: at('d5').x + 3, y: at('d5').y }, false)
    expect(hand.release(at('d5'))).toBe(false)
    expect(actions).toEqual([{ do: 'tap', space: 'd5', snapped: false }])
  })

  it('on a handle takes its heading, or is only near it', () => {
    for (const snapped of [false, true]) {
      actions = []
      const hand = gesture({ handleAt: () => ({ heading: 'se', snapped }) })
      hand.press(at('d5'), FINGER)
      hand.release(at('d5'))
      expect(actions).toEqual([{ do: 'head', heading: 'se', snapped }])
    }
  })

  it('that wanders off a piece drags it', () => {
    const hand = gesture()
    hand.press(at('d5'), MOUSE)
    hand.move(at('d6'), false)
    hand.move(at('d8'), false)
    expect(hand.release(at('d8'))).toBe(true)
    expect(actions).toEqual([
      { do: 'tap', space: 'd5' },
      { do: 'hover', space: 'd6' },
      { do: 'hover', space: 'd8' },
      { do: 'drop', space: 'd8', snapped: false },
    ])
  })

  it('that wanders off anything else is only a tap where it began', () => {
    const hand = gesture()
    hand.press(at('e5'), MOUSE)
    hand.move(at('e8'), false)
    hand.release(at('e8'))
    expect(actions).toEqual([{ do: 'tap', space: 'e5', snapped: false }])
  })

  it('on the ghost picks it up again', () => {
    const hand = gesture({ gripAt: () => 'ghost' })
    hand.press(at('d5'), MOUSE)
    hand.move(at('d7'), false)
    expect(actions[0]).toEqual({ do: 'lift' })
  })

  it('by a finger points above the finger while dragging', () => {
    const hand = gesture()
    hand.press(at('d5'), FINGER)
    hand.move(at('d7'), true)
    expect(actions.at(-1)).toEqual({ do: 'hover', space: 'd9' })
    hand.release(at('d7'))
    expect(actions.at(-1)).toEqual({ do: 'drop', space: 'd9', snapped: false })
  })

  it('tells when a finger was only near, tapping and dropping', () => {
    const hand = gesture({ aimAt: (_, touch) => ({ space: 'e7', snapped: touch }), gripAt: () => 'ghost' })
    hand.press(at('e6'), FINGER)
    hand.release(at('e6'))
    expect(actions).toEqual([{ do: 'tap', space: 'e7', snapped: true }])
    hand.press(at('e6'), FINGER)
    hand.move(at('e9'), true)
    hand.release(at('e9'))
    expect(actions.at(-1)).toEqual({ do: 'drop', space: 'e7', snapped: true })
    hand.press(at('e6'), MOUSE)
    hand.release(at('e6'))
    expect(actions.at(-1)).toEqual({ do: 'tap', space: 'e7', snapped: false })
  })

  it('that begins on a set drags that piece, and without wandering is left to the button', () => {
    const hand = gesture()
    hand.pressSet('T', 'w', SET)
    expect(hand.release({ x: 500, y: 0 })).toBe(false)
    expect(actions).toEqual([])
    hand.pressSet('T', 'w', SET)
    hand.move(at('d5'), false)
    hand.release(at('d5'))
    expect(actions).toEqual([
      { do: 'take', kind: 'T', colour: 'w' },
      { do: 'hover', space: 'd5' },
      { do: 'drop', space: 'd5', snapped: false },
    ])
  })
})

describe('a finger that aims', () => {
  const aims = { isAimable: (space: string) => space.startsWith('e'), peek: () => false }

  it('where the piece may land, or beside that, slides on, and means what is under it', () => {
    const hand = gesture(aims)
    hand.press(at('e5'), FINGER)
    hand.move(at('e7'), true)
    hand.move(at('e8'), true)
    expect(hand.release(at('e8'))).toBe(true)
    expect(actions).toEqual([
      { do: 'lift' },
      { do: 'hover', space: 'e7' },
      { do: 'hover', space: 'e8' },
      { do: 'drop', space: 'e8', snapped: false },
    ])
    expect(lenses).toEqual([at('e7'), at('e8'), null].map((point) => point && { x: point.x, y: point.y }))
  })

  it('is a tap when it stays, however long it looks', () => {
    const hand = gesture(aims)
    hand.press(at('e5'), FINGER)
    vi.advanceTimersByTime(LENS_DELAY_MS - 1)
    expect(lenses).toEqual([])
    vi.advanceTimersByTime(1)
    expect(lenses).toEqual([at('e5')])
    vi.advanceTimersByTime(LONG_PRESS_MS)
    hand.release(at('e5'))
    expect(lenses.at(-1)).toBeNull()
    expect(actions).toEqual([{ do: 'tap', space: 'e5', snapped: false }])
  })

  it('looks beneath a stack where it rests, and then enters nothing', () => {
    const hand = gesture({ ...aims, peek: (space) => peeks.push(space) > 0 })
    hand.press(at('e5'), FINGER)
    vi.advanceTimersByTime(LONG_PRESS_MS)
    expect(peeks).toEqual(['e5'])
    expect(lenses).toEqual([at('e5'), null])
    expect(hand.release(at('e5'))).toBe(true)
    expect(actions).toEqual([])
  })

  it('and slides off the board has aimed at nothing', () => {
    const hand = gesture(aims)
    hand.press(at('e5'), FINGER)
    hand.move({ x: 2000, y: 0 }, true)
    hand.release({ x: 2000, y: 0 })
    expect(actions.at(-1)).toEqual({ do: 'hover', space: null })
  })

  it('trembles on a handle and means the handle', () => {
    const hand = gesture({ ...aims, handleAt: () => ({ heading: 'se', snapped: false }) })
    hand.press(at('e5'), FINGER)
    vi.advanceTimersByTime(LENS_DELAY_MS)
    hand.move({ x: at('e5').x + SPACING / 3, y: at('e5').y }, true)
    hand.release({ x: at('e5').x + SPACING / 3, y: at('e5').y })
    expect(actions).toEqual([{ do: 'head', heading: 'se', snapped: false }])
    expect(lenses).toEqual([null])
  })

  it('holds the page still, as does one on a piece or on a handle, and no other', () => {
    const hand = gesture(aims)
    expect(['d5', 'e5', 'f5'].map((space) => hand.canGrip(at(space)))).toEqual([true, true, false])
    expect(hand.canGrip({ x: 2000, y: 0 })).toBe(false)
    expect(gesture({ handleAt: () => ({ heading: 'se', snapped: true }) }).canGrip(at('f5'))).toBe(true)
  })

  it('is no mouse: that taps where it was pressed', () => {
    const hand = gesture(aims)
    hand.press(at('e5'), MOUSE)
    vi.advanceTimersByTime(LENS_DELAY_MS)
    hand.move(at('e8'), false)
    hand.release(at('e8'))
    expect(actions).toEqual([{ do: 'tap', space: 'e5', snapped: false }])
    expect(lenses).toEqual([])
  })

  it('sees larger what it drags, clear of itself', () => {
    const hand = gesture()
    hand.press(at('d5'), FINGER)
    hand.move(at('d7'), true)
    expect(lenses).toEqual([{ x: at('d7').x, y: at('d7').y - FINGER.clearance }])
    hand.abandon()
    expect(lenses.at(-1)).toBeNull()
  })
})

describe('a board that was brought closer', () => {
  it('moves with a finger that holds nothing, and nothing is tapped', () => {
    const pans: Point[] = []
    const hand = gesture({ pan: (by) => pans.push(by) > 0 })
    hand.press(at('e5'), FINGER)
    hand.move({ x: at('e5').x + 30, y: at('e5').y - 10 }, true)
    expect(pans.at(-1)).toEqual({ x: -30, y: 10 })
    expect(hand.release(at('e8'))).toBe(true)
    expect(actions).toEqual([])
  })

  it('stays under a finger that holds a piece, and under a mouse', () => {
    const pan = vi.fn(() => true)
    const hand = gesture({ pan })
    hand.press(at('d5'), FINGER)
    hand.move(at('d8'), true)
    hand.release(at('d8'))
    hand.press(at('e5'), MOUSE)
    hand.move(at('e8'), false)
    hand.release(at('e8'))
    expect(pan).not.toHaveBeenCalled()
  })
})

describe('peeking', () => {
  it('begins with a long press, ends with it, and enters nothing', () => {
    const hand = gesture()
    hand.press(at('e5'), FINGER)
    vi.advanceTimersByTime(LONG_PRESS_MS)
    expect(peeks).toEqual(['e5'])
    hand.move(at('e8'), true)
    expect(hand.release(at('e8'))).toBe(true)
    expect(peeks.at(-1)).toBeNull()
    expect(actions).toEqual([])
  })

  it('turns into a drag when a piece is pulled away', () => {
    const hand = gesture()
    hand.press(at('d5'), MOUSE)
    vi.advanceTimersByTime(LONG_PRESS_MS)
    hand.move({ x: at('d5').x, y: at('d5').y - SPACING / 2 }, false)
    expect(actions).toEqual([])
    hand.move(at('d7'), false)
    expect(peeks.at(-1)).toBeNull()
    expect(actions.at(-1)).toEqual({ do: 'hover', space: 'd7' })
  })

  it('begins when a mouse rests, and ends when it moves on', () => {
    const hand = gesture()
    hand.move(at('d5'), false)
    vi.advanceTimersByTime(HOVER_DELAY_MS - 1)
    expect(peeks.filter(Boolean)).toEqual([])
    vi.advanceTimersByTime(1)
    expect(peeks.at(-1)).toBe('d5')
    hand.move(at('d6'), false)
    expect(peeks.at(-1)).toBeNull()
    hand.leave()
    vi.advanceTimersByTime(HOVER_DELAY_MS)
    expect(peeks.at(-1)).toBeNull()
  })
})

describe('a pointer that is taken away', () => {
  it('leaves the entry as it was', () => {
    const hand = gesture()
    hand.press(at('d5'), FINGER)
    hand.move(at('d7'), true)
    hand.abandon()
    expect(actions.at(-1)).toEqual({ do: 'hover', space: null })
    expect(hand.isDragging).toBe(false)
    expect(hand.release(at('d7'))).toBe(false)
  })
})
