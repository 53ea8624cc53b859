import { describe, expect, it } from 'vitest'

import { aimAt, type Field, handleAt, REACH } from '../../../src/board/model/aim'
import { HANDLE } from '../../../src/board/model/outline'
import { type Point, SPACING } from '../../../src/board/model/shape'
import { SHAPE } from '../../support/positions'

const PLACES = SHAPE.spaces.map((space) => [space.name, space] as const)

/** On the way from one space to another: 0.5 is between them. */
function between(from: string, to: string, share: number): Point {
  const [a, b] = [SHAPE.at(from), SHAPE.at(to)]
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
}

function field(lands: readonly string[], taken: readonly string[] = []): Field {
  return { places: PLACES, squash: 1, landings: new Set(lands), isEmpty: (space) => !taken.includes(space) }
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

  it('beyond the rim reaches back to the board, but is only near it', () => {
    const rim = SHAPE.at('a5')
    const beside = (way: number): Point => ({ x: rim.x - way, y: rim.y })
    expect(aimAt(beside(SPACING / 2 - 1), true, field(['a5']))).toEqual({ space: 'a5', snapped: false })
    expect(aimAt(beside(SPACING / 2 + 1), true, field(['a5']))).toEqual({ space: 'a5', snapped: true })
    expect(aimAt(beside(REACH - 1), true, field(['a5']))).toEqual({ space: 'a5', snapped: true })
    expect(aimAt(beside(REACH + 1), true, field(['a5']))).toBeNull()
  })

  it('beyond the rim of a tilted board is so where a space looks flat', () => {
    const squash = 0.64
    const places = PLACES.map(([name, { x, y }]) => [name, { x, y: y * squash }] as const)
    const tilted = { ...field(['i16']), places, squash }
    const rim = { x: SHAPE.at('i16').x, y: SHAPE.at('i16').y * squash }
    expect(aimAt({ x: rim.x, y: rim.y - 0.4 * SPACING }, true, tilted)).toEqual({ space: 'i16', snapped: true })
    expect(aimAt({ x: rim.x, y: rim.y - 0.3 * SPACING }, true, tilted)).toEqual({ space: 'i16', snapped: false })
  })
})

describe('a handle', () => {
  const at = SHAPE.at('i13')
  const handles = [['n', at] as const]
  const beside = (way: number): Point => ({ x: at.x, y: at.y - way })

  it('is under whatever is on its disc', () => {
    for (const touch of [false, true]) {
      const lands = field(['i13', 'i14'])
      expect(handleAt(beside(HANDLE), touch, handles, lands)).toEqual({ heading: 'n', snapped: false })
    }
  })

  it('is reached by a finger beside it, which is only near it, and by no mouse', () => {
    expect(handleAt(beside(HANDLE + 4), true, handles, field([]))).toEqual({ heading: 'n', snapped: true })
    expect(handleAt(beside(HANDLE + 4), false, handles, field([]))).toBeNull()
    expect(handleAt(beside(REACH + 1), true, handles, field([]))).toBeNull()
  })

  it('is not meant by a finger that is nearer to where the piece may land', () => {
    const near = beside(REACH - 2)
    expect(handleAt(near, true, handles, field(['i14']))).toBeNull()
    expect(handleAt(near, true, handles, field([]))).toEqual({ heading: 'n', snapped: true })
    expect(handleAt(beside(HANDLE + 4), true, handles, field(['i14']))).toEqual({ heading: 'n', snapped: true })
  })
})
