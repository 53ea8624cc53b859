/** A review in the tree of its game. */
import { describe, expect, it } from 'vitest'
import type { Remark } from '../../../src/api/model'
import { annotateTree, betterPath, gameTree } from '../../../src/pages/review/annotation'
import { readRecord, writeRecord } from '../../../src/study/record'
import { mainPath, mainPly, type Node, nodeAt, remove, movesTo } from '../../../src/study/tree'

const turn = (text: string, comment: string | null = null) => ({ text, comment })
const GAME = gameTree('standard w', [turn('Ed5ne'), turn('Tl10n', 'hm'), turn('d5-d8n')], [['White', 'Ada']])

function remark(ply: number, told: string, changes: Partial<Remark> = {}): Remark {
  const colour = ply % 2 ? 'b' : 'w'
  return { ply, colour, turn: told, chance: 0.5, given_away: 0, proven: 0, judgement: null, best: [told], ...changes }
}
const BLUNDER = remark(1, 'Tl10n', { judgement: 'blunder', best: ['Tl9n', 'd5-d6n'] })
const REVIEW = [remark(0, 'Ed5ne'), BLUNDER, remark(2, 'd5-d8n', { judgement: 'inaccuracy', best: ['d5-d9n'] })]

describe('an annotated game', () => {
  const tree = annotateTree(GAME, REVIEW, ({ judgement }) => judgement ?? '')

  it('has marks and words, and the better variation beside the turn', () => {
    expect(movesTo(tree, mainPath(3))).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n'])
    expect(nodeAt(tree, [0, 0])).toMatchObject({ mark: '??', comment: 'blunder\nhm' })
    expect(nodeAt(tree, [0, 0, 0])).toMatchObject({ mark: '?!', comment: 'inaccuracy' })
    expect((nodeAt(tree, [0]) as Node).mark).toBeNull()
    const path = betterPath(tree, BLUNDER)
    expect(path).toEqual([0, 1])
    expect(movesTo(tree, [...(path ?? []), 0])).toEqual(['Ed5ne', 'Tl9n', 'd5-d6n'])
  })

  it('goes through a record and back', () => {
    expect(readRecord(writeRecord(tree)).tree).toEqual(tree)
  })

  it('says nothing about turns that are no longer there', () => {
    const cut = remove(GAME, [0, 0]).tree
    expect(annotateTree(cut, REVIEW, () => 'x')).toBe(cut)
    expect(betterPath(cut, BLUNDER)).toBeNull()
  })

  it('knows how far the game leads to a moment', () => {
    expect(mainPly([0, 0, 0])).toBe(3)
    expect(mainPly([0, 1, 0])).toBe(1)
    expect(mainPly([])).toBe(0)
  })
})
