/** Positions that are set up by hand. */
import { describe, expect, it } from 'vitest'
import { Legal } from '../../../src/board/model/legal'
import { placements, setupOf, setupText, withoutPiece, withPiece } from '../../../src/pages/analysis/setup'
import { MIDDLE, SHAPE, START } from '../../support/positions'

describe('a setup', () => {
  it('is written as the position is, the lower pieces first', () => {
    expect(setupText(setupOf(START))).toBe('standard w')
    const words = setupText(setupOf(MIDDLE)).split(' ')
    expect(words.slice(0, 2)).toEqual(MIDDLE.text.split(' ').slice(0, 2))
    expect(words.slice(2).toSorted()).toEqual(MIDDLE.text.split(' ').slice(2).toSorted())
    const levels = words
      .slice(2)
      .map(
        (word) =>
          MIDDLE.pieces.find((piece) => `${piece.colour}${piece.kind}${piece.space}${piece.heading}` === word)?.level,
      )
    expect(levels).toEqual(levels.toSorted())
  })

  it('takes pieces of either colour, moves them and gives them back', () => {
    const black = withPiece(setupOf(START), START, 'Td5n', 'b')
    expect(setupText(black)).toBe('standard w bTd5n')
    expect(setupText(withoutPiece(black, 'd5', 'T'))).toBe('standard w')
    const piece = MIDDLE.pieces.find((found) => found.free)
    if (!piece) throw new Error('no free piece')
    const moved = withPiece(setupOf(MIDDLE), MIDDLE, `${piece.space}-b2n`, 'w')
    expect(moved.pieces).toHaveLength(MIDDLE.pieces.length)
    expect(moved.pieces.at(-1)).toEqual({ colour: piece.colour, kind: piece.kind, space: 'b2', heading: 'n' })
  })

  it('lets a piece lie wherever its dots are on the board', () => {
    const legal = new Legal(SHAPE, placements(SHAPE, START, 'b'))
    const targets = legal.targets({ from: 'set', kind: 'E' })
    expect(targets.get('i9')).toHaveLength(6)
    expect(targets.get('a2')?.length).toBeLessThan(6)
    for (const [space, headings] of targets) {
      for (const heading of headings) expect(SHAPE.footprint('E', space, heading)).toBeDefined()
    }
    expect(legal.targets({ from: 'set', kind: 'C' }).get('i9')).toHaveLength(3)
  })
})
