import { describe, expect, it } from 'vitest'

import { readTurn, turnText } from '../../src/board/model/turns'
import { MIDDLE } from '../positions'

describe('written turns', () => {
  it('are read back into what was written', () => {
    const free = MIDDLE.pieces.find((piece) => piece.free && piece.colour === 'w')
    for (const text of ['Ed5ne', 'Ta2s', `${free?.space}-i12nw`, `${free?.space}-${free?.space}n`]) {
      const turn = readTurn(text, MIDDLE)
      expect(turn && turnText(turn.source, turn.space, turn.heading)).toBe(text)
    }
  })

  it('mean the piece on top whose PÜNCT is there', () => {
    expect(readTurn('i6-i12nw', MIDDLE)?.source).toMatchObject({ from: 'board', kind: 'R', space: 'i6' })
  })

  it('are nothing when no piece fits them', () => {
    expect(readTurn('i16-i12nw', MIDDLE)).toBeUndefined()
    expect(readTurn('hello', MIDDLE)).toBeUndefined()
  })
})
