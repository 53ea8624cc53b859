import { describe, expect, it } from 'vitest'
import { edit, moveTo, newHistory, redo, undo } from '../../src/study/editHistory'
import {
  add,
  addAll,
  comment,
  isMain,
  isPrefix,
  mark,
  nodeAt,
  parentOf,
  promote,
  remove,
  siblingOf,
  size,
  toEnd,
  treeOf,
  movesTo,
  variationOf,
} from '../../src/study/tree'

const line = treeOf('standard w', ['Ed5ne', 'Tl10n', 'd5-d8n'])
const branched = addAll(line, [0], ['Tl9n', 'd5-d7n'])

describe('a tree', () => {
  it('goes along ways that are there, and makes new ones', () => {
    expect(add(line, [0], 'Tl10n')).toEqual({ tree: line, path: [0, 0] })
    expect(branched.path).toEqual([0, 1, 0])
    expect(movesTo(branched.tree, branched.path)).toEqual(['Ed5ne', 'Tl9n', 'd5-d7n'])
    expect(movesTo(branched.tree, toEnd(branched.tree, []))).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n'])
    expect(size(branched.tree)).toBe(5)
  })

  it('shares what an edit leaves as it was', () => {
    expect(nodeAt(branched.tree, [0, 0])).toBe(nodeAt(line, [0, 0]))
    expect(size(line)).toBe(3)
  })

  it('makes a variation the main continuation where it branches off', () => {
    const { tree, path } = promote(branched.tree, branched.path)
    expect(path).toEqual([0, 0, 0])
    expect(movesTo(tree, toEnd(tree, []))).toEqual(['Ed5ne', 'Tl9n', 'd5-d7n'])
    expect(movesTo(tree, [0, 1, 0])).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n'])
    expect(promote(tree, path)).toEqual({ tree, path })
  })

  it('forgets a turn with all that follows, and leads to the moment before', () => {
    const { tree, path } = remove(branched.tree, [0, 0])
    expect(path).toEqual([0])
    expect(movesTo(tree, toEnd(tree, []))).toEqual(['Ed5ne', 'Tl9n', 'd5-d7n'])
    expect(remove(tree, [])).toEqual({ tree, path: [] })
  })

  it('keeps what is said', () => {
    const said = mark(comment(branched.tree, [0, 1], 'better'), [0, 1], '!?')
    expect(nodeAt(said, [0, 1])).toMatchObject({ move: 'Tl9n', comment: 'better', mark: '!?' })
    expect(comment(said, [], 'about the game').comment).toBe('about the game')
    expect(mark(said, [], '!')).toBe(said)
  })

  it('knows its ways', () => {
    expect(isMain([0, 0])).toBe(true)
    expect(variationOf([0, 1, 0])).toEqual([0, 1])
    expect(variationOf([0, 0])).toBeNull()
    expect(isPrefix([0], [0, 1])).toBe(true)
    expect(isPrefix([1], [0, 1])).toBe(false)
    expect(parentOf([])).toEqual([])
    expect(siblingOf(branched.tree, [0, 1], 1)).toEqual([0, 0])
    expect(siblingOf(branched.tree, [0, 0], -1)).toEqual([0, 1])
    expect(() => nodeAt(line, [3])).toThrow(RangeError)
  })
})

describe('edits', () => {
  it('are undone and done again; looking is none', () => {
    let edits = newHistory({ tree: line, path: [] })
    edits = moveTo(edits, [0])
    edits = edit(edits, add(edits.current.tree, edits.current.path, 'Tl9n'))
    edits = moveTo(edits, [])
    expect(edits.undoable).toHaveLength(1)
    const undone = undo(edits)
    expect(undone.current).toEqual({ tree: line, path: [0] })
    expect(redo(undone).current.tree).toBe(edits.current.tree)
    expect(undo(undone)).toBe(undone)
    const other = edit(undone, add(line, [0], 'Tl8n'))
    expect(redo(other)).toBe(other)
    expect(moveTo(edits, [7])).toBe(edits)
    expect(edit(edits, { tree: edits.current.tree, path: [0] }).undoable).toHaveLength(1)
  })
})
