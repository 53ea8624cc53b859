import { describe, expect, it } from 'vitest'
import { addLine, hasLine, removeLine } from '../../src/desk/planLines'

const leaf = (turn: string, reply: string, then: ReturnType<typeof addLine> = []) => ({ turn, reply, then })

describe('conditional moves as lines', () => {
  it('adds lines to a tree', () => {
    let replies = addLine([], ['a', 'b', 'c', 'd'])
    replies = addLine(replies, ['a', 'b', 'e', 'f'])
    replies = addLine(replies, ['x', 'y'])
    expect(replies).toEqual([leaf('a', 'b', [leaf('c', 'd'), leaf('e', 'f')]), leaf('x', 'y')])
    expect(addLine(replies, ['a', 'b', 'c'])).toEqual(replies) // without a reply there is nothing to play
    expect(hasLine(replies, ['a', 'b', 'e', 'f']) && hasLine(replies, ['a', 'b'])).toBe(true)
    expect(hasLine(replies, ['a', 'z']) || hasLine(replies, ['x', 'y', 'c', 'd'])).toBe(false)
  })

  it('replaces another reply to the same move, with what followed it', () => {
    const replies = addLine([], ['a', 'b', 'c', 'd'])
    expect(addLine(replies, ['a', 'z'])).toEqual([leaf('a', 'z')])
  })

  it('removes a reply and what follows it', () => {
    const replies = addLine(addLine([], ['a', 'b', 'c', 'd']), ['x', 'y'])
    expect(removeLine(replies, ['a', 'b', 'c', 'd'])).toEqual([leaf('a', 'b'), leaf('x', 'y')])
    expect(removeLine(replies, ['a', 'b'])).toEqual([leaf('x', 'y')])
  })
})
