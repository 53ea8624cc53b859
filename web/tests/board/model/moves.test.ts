import { describe, expect, it } from 'vitest'

import { moveText, readMove } from '../../../src/board/model/moves'
import { MIDDLE } from '../../support/positions'

describe('written turns', () => {
  it('are read back into what was written', () => {
    const free = MIDDLE.pieces.find((piece) => piece.free && piece.colour === 'w')
    for (const text of ['Ed5ne', 'Ta2s', `${free?.space}-i12nw`, `${free?.space}-${free?.space}n`]) {
      const turn = readMove(text, MIDDLE)
      expect(turn && moveText(turn.source, turn.space, turn.heading)).toBe(text)
    }
  })

  it('mean the piece on top whose PÜNCT is there', () => {
    expect(readMove('i6-i12nw', MIDDLE)?.source).toMatchObject({ from: 'board', kind: 'R', space: 'i6' })
  })

  it('are nothing when no piece fits them', () => {
    expect(readMove('i16-i12nw', MIDDLE)).toBeUndefined()
    expect(readMove('hello', MIDDLE)).toBeUndefined()
  })
})
