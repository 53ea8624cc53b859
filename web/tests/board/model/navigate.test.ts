import { describe, expect, it } from 'vitest'

import { HEADINGS } from '../../../src/api/model'
import { linesOf } from '../../../src/board/model/lines'
import { cycle, isArrow, step } from '../../../src/board/model/navigate'
import { frame, project, projection } from '../../../src/board/model/projection'
import { SHAPE } from '../../support/positions'

describe('arrow keys', () => {
  it('go up and down a column', () => {
    expect(step(SHAPE, 'i9', 'ArrowUp')).toBe('i10')
    expect(step(SHAPE, 'i9', 'ArrowDown')).toBe('i8')
    expect(step(SHAPE, 'i16', 'ArrowUp')).toBe('i16')
  })

  it('go across at about one height, and back again the same way', () => {
    const inner = SHAPE.spaces.filter(({ name }) => HEADINGS.every((heading) => SHAPE.step(name, heading)))
    for (const { name } of inner) {
      for (const [there, back] of [
        ['ArrowLeft', 'ArrowRight'],
        ['ArrowRight', 'ArrowLeft'],
      ] as const) {
        const next = step(SHAPE, name, there)
        expect(step(SHAPE, next, back), `${name} ${there}`).toBe(name)
      }
    }
  })

  it('turn around with the board', () => {
    expect(step(SHAPE, 'i9', 'ArrowUp', true)).toBe('i8')
    expect(SHAPE.at(step(SHAPE, 'i9', 'ArrowRight', true)).column).toBe(SHAPE.at('i9').column - 1)
  })

  it('reach every space', () => {
    const seen = new Set(['i9'])
    const open = ['i9']
    for (let here = open.pop(); here; here = open.pop()) {
      for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
        const next = step(SHAPE, here, arrow)
        if (!seen.has(next)) {
          seen.add(next)
          open.push(next)
        }
      }
    }
    expect(seen.size).toBe(211)
    expect(isArrow('a')).toBe(false)
  })
})

describe('going from one possibility to the next', () => {
  it('follows the board and goes round', () => {
    const among = ['d5', 'i9', 'b3']
    expect(cycle(SHAPE, 'b3', among, 1)).toBe('d5')
    expect(cycle(SHAPE, 'i9', among, 1)).toBe('b3')
    expect(cycle(SHAPE, 'b3', among, -1)).toBe('i9')
    expect(cycle(SHAPE, 'e5', among, -1)).toBe('d5')
    expect(cycle(SHAPE, 'e5', [], 1)).toBe('e5')
  })
})

describe('lines', () => {
  it('reach from the PÜNCT to the farthest space allowed each way', () => {
    const targets = new Map([
      ['d7', ['n']],
      ['d9', ['n']],
      ['d5', ['s']],
    ]) as never
    const source = { from: 'board', kind: 'E', piece: 'wE1', space: 'd5' } as const
    expect(linesOf(SHAPE, source, targets).map(({ to }) => to.name)).toEqual(['d9'])
    expect(linesOf(SHAPE, { from: 'set', kind: 'E' }, targets)).toEqual([])
  })
})

describe('both views', () => {
  it('keep the whole board in sight, flipped or not', () => {
    for (const tilted of [false, true]) {
      for (const flipped of [false, true]) {
        const view = projection(tilted, flipped)
        const seen = frame(view)
        for (const space of SHAPE.spaces) {
          const { x, y } = project(view, space, 3)
          expect(x).toBeGreaterThan(seen.x)
          expect(x).toBeLessThan(seen.x + seen.width)
          expect(y).toBeGreaterThan(seen.y)
          expect(y).toBeLessThan(seen.y + seen.height)
        }
      }
    }
  })

  it('lift what lies higher, more so when tilted', () => {
    const rise = (tilted: boolean): number => {
      const view = projection(tilted, false)
      return project(view, { x: 0, y: 0 }, 1).y - project(view, { x: 0, y: 0 }, 3).y
    }
    expect(rise(false)).toBeGreaterThan(0)
    expect(rise(true)).toBeGreaterThan(2 * rise(false))
  })
})
