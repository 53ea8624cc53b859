import { beforeEach, describe, expect, it } from 'vitest'

import { enter, IDLE } from '../../../src/board/model/entry'
import { loadDraft, saveDraft } from '../../../src/pages/game/draftMove'
import { game } from '../../support/games'
import { MIDDLE, situation, START } from '../../support/positions'

const NOW = situation(MIDDLE)
const GAME = game({ view: MIDDLE, revision: 7 })
const free = MIDDLE.pieces.find((piece) => piece.colour === MIDDLE.turn && NOW.legal.canMove(piece.space))
if (!free) throw new Error('nothing may move')
const chosen = enter(IDLE, { do: 'tap', space: free.space }, NOW).entry
const target = [...NOW.legal.targets(chosen.source ?? { from: 'set', kind: 'T' }).keys()].find(
  (space) => space !== free.space,
)
const aimed = enter(chosen, { do: 'tap', space: target ?? '' }, NOW).entry

beforeEach(() => sessionStorage.clear())

describe('a turn entered halfway', () => {
  it.each([
    ['a chosen piece', chosen],
    ['a ghost that waits', aimed],
  ])('is taken up again: %s', (_, entry) => {
    saveDraft(sessionStorage, GAME, entry)
    const half = loadDraft(sessionStorage, GAME)
    expect(half).toEqual({ source: entry.source, target: entry.target, heading: entry.heading })
    expect(half && enter(IDLE, { do: 'resume', ...half }, NOW).entry).toEqual({ ...entry, hover: null })
  })

  it('is taken up with a piece from the set', () => {
    const first = game()
    const now = situation(START)
    const taken = enter(IDLE, { do: 'take', kind: 'E', colour: 'w' }, now).entry
    saveDraft(sessionStorage, first, taken)
    const half = loadDraft(sessionStorage, first)
    expect(half && enter(IDLE, { do: 'resume', ...half }, now).entry).toEqual(taken)
  })

  it('belongs to one game, and to one revision of it', () => {
    saveDraft(sessionStorage, GAME, aimed)
    expect(loadDraft(sessionStorage, { ...GAME, id: 'another' })).toBeNull()
    expect(loadDraft(sessionStorage, { ...GAME, revision: 8 })).toBeNull()
  })

  it('is forgotten when it is cancelled', () => {
    saveDraft(sessionStorage, GAME, aimed)
    saveDraft(sessionStorage, GAME, IDLE)
    expect(sessionStorage.length).toBe(0)
  })

  it('is dropped where it is no longer possible', () => {
    saveDraft(sessionStorage, GAME, aimed)
    const half = loadDraft(sessionStorage, GAME)
    if (!half) throw new Error('forgotten')
    const elsewhere = { ...half, target: 'z99' }
    expect(enter(IDLE, { do: 'resume', ...elsewhere }, NOW).entry).toMatchObject({ source: half.source, target: null })
    const closed = situation({ ...MIDDLE, legal: { ...MIDDLE.legal, moves: {} } })
    expect(enter(IDLE, { do: 'resume', ...half }, closed).entry.source).toBeNull()
    expect(enter(IDLE, { do: 'resume', ...half }, { ...NOW, player: null }).entry.source).toBeNull()
    expect(loadDraft(sessionStorage, { ...GAME, view: { ...MIDDLE, pieces: [] } })).toBeNull()
  })

  it('is none when the note is broken', () => {
    for (const text of ['{', '[]', '{"revision":7}', '{"revision":7,"kind":"X","heading":"n"}', '"seven"']) {
      sessionStorage.setItem('punct.turn.one', text)
      expect(loadDraft(sessionStorage, GAME)).toBeNull()
    }
  })
})
