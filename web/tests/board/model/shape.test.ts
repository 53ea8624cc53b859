import { describe, expect, it } from 'vitest'

import { KINDS } from '../../../src/api/model'
import { Legal } from '../../../src/board/model/legal'
import { rotateHeading } from '../../../src/board/model/shape'
import { heightOf, restingLevel, stacksOf, topOf } from '../../../src/board/model/stacks'
import { MIDDLE, SHAPE, START } from '../../support/positions'

describe('the board', () => {
  it('has 211 spaces around i9, columns upright and rows rising', () => {
    expect(SHAPE.spaces).toHaveLength(211)
    expect(SHAPE.at('i9')).toMatchObject({ x: 0, y: 0, centre: true })
    expect(SHAPE.at('i10').y).toBeLessThan(0)
    expect(SHAPE.at('j9').x).toBeGreaterThan(0)
  })

  it('steps clockwise from straight up and stops at the edge', () => {
    expect(SHAPE.step('i9', 'ne')?.name).toBe('j10')
    expect(SHAPE.step('a2', 'sw')).toBeUndefined()
    expect(SHAPE.line('i9', 'n').map((space) => space.name)).toEqual(['i10', 'i11', 'i12', 'i13', 'i14', 'i15', 'i16'])
    expect(rotateHeading('nw', 1)).toBe('n')
    expect(rotateHeading('n', -1)).toBe('nw')
  })

  it('lays pieces down by their PÜNCT and never over the edge', () => {
    expect(SHAPE.footprint('E', 'd5', 'ne')?.map((space) => space.name)).toEqual(['d5', 'e6', 'f7'])
    expect(SHAPE.footprint('E', 'a2', 'sw')).toBeUndefined()
  })
})

describe('legal turns', () => {
  it('unpacks exactly as many as the server counted', () => {
    for (const view of [START, MIDDLE]) {
      const legal = new Legal(SHAPE, view.legal)
      let count = 0
      for (const kind of KINDS) {
        for (const headings of legal.targets({ from: 'set', kind }).values()) count += headings.length
      }
      for (const space of Object.keys(view.legal.moves)) {
        const piece = view.pieces.find((candidate) => candidate.space === space && candidate.free)
        if (!piece) throw new Error(`no free piece at ${space}`)
        const targets = legal.targets({ from: 'board', kind: piece.kind, piece: piece.id, space })
        for (const headings of targets.values()) count += headings.length
      }
      expect(count).toBe(view.legal.count)
    }
  })

  it('has nothing for a piece that may not be played', () => {
    const legal = new Legal(SHAPE, { count: 0, adds: {}, moves: {} })
    expect(legal.targets({ from: 'set', kind: 'T' }).size).toBe(0)
    expect(legal.canAdd('T')).toBe(false)
    expect(legal.canMove('i9')).toBe(false)
  })
})

describe('stacks', () => {
  const stacks = stacksOf(MIDDLE)

  it('shows the topmost piece', () => {
    expect(topOf(stacks, 'i6')).toMatchObject({ colour: 'w', kind: 'R', level: 3 })
    expect(topOf(stacks, 'i16')).toBeUndefined()
  })

  it('finds the level a piece would take, itself lifted off', () => {
    const top = topOf(stacks, 'i6')
    expect(heightOf(stacks, 'i6')).toBe(3)
    expect(heightOf(stacks, 'i6', top?.id)).toBeLessThan(3)
    expect(restingLevel(stacks, ['i16', 'i15', 'i14'])).toBe(1)
    expect(restingLevel(stacks, ['i6', 'i15', 'i14'])).toBe(4)
  })
})
