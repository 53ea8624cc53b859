import { describe, expect, it } from 'vitest'

import { aimAt, type Field, REACH } from '../../src/board/model/aim'
import { type Point, SPACING } from '../../src/board/model/shape'
import { SHAPE } from '../positions'

const PLACES = SHAPE.spaces.map((space) => [space.name, space] as const)

/** On the way from one space to another: 0.5 is between them. */
function between(from: string, to: string, share: number): Point {
  const [a, b] = [SHAPE.at(from), SHAPE.at(to)]
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
}

function field(lands: readonly string[], taken: readonly string[] = []): Field {
  return { places: PLACES, lands: new Set(lands), empty: (space) => !taken.includes(space) }
}

describe('a mouse', () => {
  it('means the space under it wherever it is, whatever is allowed beside it', () => {
    for (const share of [0, 0.1, 0.3, 0.45, 0.49]) {
      expect(aimAt(between('d5', 'd6', share), false, field(['d6']))).toEqual({ space: 'd5', snapped: false })
      expect(aimAt(between('d6', 'd5', share), false, field(['d6']))).toEqual({ space: 'd6', snapped: false })
    }
  })

  it('is over some space everywhere between the spaces', () => {
    const corner = SHAPE.at('d5')
    // The point of a hexagon furthest from its middle.
    expect(aimAt({ x: corner.x + SPACING / Math.sqrt(3) - 0.01, y: corner.y }, false, field([]))?.space).toBeDefined()
  })

  it('means nothing beside the board', () => {
    const rim = SHAPE.at('a5')
    expect(aimAt({ x: rim.x - REACH - 1, y: rim.y }, false, field(['a5']))).toBeNull()
  })
})

describe('a finger', () => {
  it('means the space under it when that is allowed, or taken', () => {
    expect(aimAt(between('d5', 'd6', 0.45), true, field(['d5', 'd6']))).toEqual({ space: 'd5', snapped: false })
    expect(aimAt(between('d5', 'd6', 0.45), true, field(['d6'], ['d5']))).toEqual({ space: 'd5', snapped: false })
  })

  it('on an empty space may mean the one allowed beside it, no further than it reaches', () => {
    expect(aimAt(between('d5', 'd6', 0.41), true, field(['d6']))).toEqual({ space: 'd6', snapped: true })
    expect(aimAt(between('d5', 'd6', 0.39), true, field(['d6']))).toEqual({ space: 'd5', snapped: false })
    expect(aimAt(between('d5', 'd6', 0.45), true, field([]))).toEqual({ space: 'd5', snapped: false })
  })

  it('on the rim reaches back to the board', () => {
    const rim = SHAPE.at('a5')
    const beside = (way: number): Point => ({ x: rim.x - way, y: rim.y })
    expect(aimAt(beside(REACH - 1), true, field(['a5']))).toEqual({ space: 'a5', snapped: false })
    expect(aimAt(beside(REACH + 1), true, field(['a5']))).toBeNull()
  })
})
