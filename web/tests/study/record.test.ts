import { describe, expect, it } from 'vitest'
import { readRecord, writeRecord } from '../../src/study/record'
import { addAll, comment, mark, size, toEnd, treeOf, movesTo } from '../../src/study/tree'

const WRITTEN = `[White "Anna \\"A\\""]
[Rules "standard"]
[Result "*"]

{A short game.} 1. Ef8sw Tl5s 2. f8-f7sw l5-j3n {?! Why not \\} stay?} (2... Tl6n
3. f7-f6n) (2... Tl7n {! so}) 3. f7-f5n *
`

describe('a record', () => {
  it('is written as the library writes it, marks as the first word of a comment', () => {
    let { tree } = addAll(
      treeOf('standard w', ['Ef8sw', 'Tl5s', 'f8-f7sw', 'l5-j3n', 'f7-f5n']),
      [0, 0, 0],
      ['Tl6n', 'f7-f6n'],
    )
    ;({ tree } = addAll(tree, [0, 0, 0], ['Tl7n']))
    tree = mark(comment(tree, [0, 0, 0, 0], 'Why not } stay?'), [0, 0, 0, 0], '?!')
    tree = mark(comment(tree, [0, 0, 0, 2], 'so'), [0, 0, 0, 2], '!')
    tree = { ...comment(tree, [], 'A short game.'), tags: [['White', 'Anna "A"']] }
    expect(writeRecord(tree)).toBe(WRITTEN)
    expect(readRecord(WRITTEN)).toEqual({ tree, fault: null })
  })

  it('keeps another start, and who moves first there', () => {
    const start = 'standard b wEd5ne'
    const text = writeRecord(treeOf(start, ['Tl10n', 'd5-d8n']))
    expect(text).toContain('[Position "standard b wEd5ne"]')
    expect(text).toContain('1... Tl10n 2. d5-d8n *')
    expect(readRecord(text).tree).toMatchObject({ start })
    expect(writeRecord(treeOf('basic w', []))).toBe('[Rules "basic"]\n[Result "*"]\n\n*\n')
    expect(readRecord('[Rules "basic"] 1.Ed5ne *').tree.start).toBe('basic w')
  })

  it('is read as people write it', () => {
    const { tree } = readRecord(
      '1. Ed5ne ; a remark\nTl10n {one} {two} (Tl9n (1... Tl8n {deep})) 2. d5-d8n 1-0 [White "Next"]',
    )
    expect(tree.next[0]).toMatchObject({ move: 'Ed5ne', comment: 'a remark' })
    expect(tree.next[0]?.next.map((node) => node.move)).toEqual(['Tl10n', 'Tl9n', 'Tl8n'])
    expect(tree.next[0]?.next[0]?.comment).toBe('one\ntwo')
    expect(movesTo(tree, [0, 0, 0])).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n'])
    expect(size(tree)).toBe(5)
    expect(tree.tags).toEqual([])
  })

  it.each([
    ['1. Ed5ne\n{never closed', 'comment', 2, 1],
    ['[White "never', 'value', 1, 0],
    ['1. Ed5ne (1. Ed4ne', 'variation', 1, 2],
    ['1. Ed5ne Tl10n ) 2. d5-d8n', 'variation', 1, 2],
    ['(1. Ed5ne)', 'variation', 1, 0],
    ['1. Ed5ne {good} Tl10n\n\n} 2. d5-d8n', 'token', 3, 2],
  ] as const)('says what is wrong with %j, and has what comes before', (text, code, line, turns) => {
    const { tree, fault } = readRecord(text)
    expect(fault).toMatchObject({ code, line })
    expect(size(tree)).toBe(turns)
  })

  it('is read only as far as a page can show it, however long it is', () => {
    const long = readRecord(Array.from({ length: 50_000 }, (_, n) => `t${n}`).join(' '))
    expect(long.fault).toMatchObject({ code: 'too_much', token: 't2000' })
    expect(size(long.tree)).toBe(2000)
    const end = toEnd(long.tree, [])
    expect(end).toHaveLength(2000)
    expect(comment(long.tree, end, 'here').next[0]?.move).toBe('t0')
    const written = writeRecord(long.tree)
    expect(writeRecord(readRecord(written).tree)).toBe(written)
    const deep = readRecord(`a b ${'(c d '.repeat(50_000)}`)
    expect(deep.fault?.code).toBe('too_much')
    const wide = readRecord(`a ${Array.from({ length: 200 }, (_, n) => `(b${n}${' c'.repeat(99)})`).join(' ')}`)
    expect(wide.fault?.code).toBe('too_much')
    expect(size(wide.tree)).toBe(10_000)
  })
})
