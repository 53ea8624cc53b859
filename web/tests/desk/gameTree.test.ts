import { describe, expect, it } from 'vitest'
import { mergeTrees, recordOf, withGame } from '../../src/desk/gameTree'
import { readRecord } from '../../src/study/record'
import { add, comment, movesTo, pathOf, treeOf } from '../../src/study/tree'

const START = 'basic w'

describe('variations on a game that goes on', () => {
  it('makes the game the main variation, and keeps what was tried', () => {
    const tried = treeOf(START, ['Ed5ne', 'Tl5s', 'Mb3n'])
    const tree = withGame(tried, ['Ed5ne', 'Tl10n'])
    expect(movesTo(tree, [0, 0])).toEqual(['Ed5ne', 'Tl10n'])
    expect(movesTo(tree, [0, 1, 0])).toEqual(['Ed5ne', 'Tl5s', 'Mb3n'])
    expect(pathOf(tree, ['Ed5ne', 'Tl5s', 'Mb3n'])).toEqual([0, 1, 0])
    // A move that was expected becomes the game's, with what was tried after it.
    expect(movesTo(withGame(tree, ['Ed5ne', 'Tl5s']), [0, 0, 0])).toEqual(['Ed5ne', 'Tl5s', 'Mb3n'])
  })

  it('stores nothing but what the player has added', () => {
    const game = ['Ed5ne', 'Tl10n']
    expect(recordOf(withGame(treeOf(START, []), game), game)).toBe('')
    const { tree } = add(treeOf(START, game), [0], 'Tl5s')
    expect(readRecord(recordOf(tree, game)).tree.next).toEqual(tree.next)
    expect(recordOf(comment(treeOf(START, game), [0], 'why?'), game)).toContain('why?')
    expect(recordOf(treeOf(START, [...game, 'Mb3n']), game)).toContain('Mb3n')
  })

  it('has the variations of two devices', () => {
    const one = add(treeOf(START, ['Ed5ne', 'Tl10n']), [0], 'Tl5s').tree
    const other = comment(add(treeOf(START, ['Ed5ne', 'Tl10n']), [0, 0], 'Mb3n').tree, [0], 'good')
    const merged = mergeTrees(one, other)
    expect(pathOf(merged, ['Ed5ne', 'Tl5s'])).toHaveLength(2)
    expect(pathOf(merged, ['Ed5ne', 'Tl10n', 'Mb3n'])).toHaveLength(3)
    expect(recordOf(merged, ['Ed5ne', 'Tl10n'])).toContain('good')
    expect(mergeTrees(merged, one)).toEqual(merged)
  })
})
