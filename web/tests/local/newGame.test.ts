/** A game in the browser becomes what the server would have made of it: wish for wish, by the real kernel. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/client'
import type { Colour, Game } from '../../src/api/model'
import type { LocalGame } from '../../src/local/game'
import scripts from '../fixtures/wishes.json'
import { closeTabs, freshBrowser, kept, opened, tab } from './tabs'

type Shown = (typeof scripts)[number]['begun']

/** What of a game does not depend on where and when it is played. */
function shown(game: Game): unknown {
  const { ply, text, turn, outcome, result, chain, threats, legal } = game.view
  const { rules, seats, start, revision, repetitions, may_undo, may_redo, may_resign, may_draw } = game
  return {
    ...{ rules, seats, ply: game.ply, turn: game.turn, result: game.result, outcome: game.outcome, revision, start },
    ...{ repetitions, may_undo, may_redo, may_resign, may_draw },
    turns: game.turns.map((turn) => ({ ...turn, at: undefined })),
    view: { ply, text, turn, outcome, result, chain, threats, legal: legal.count },
  }
}

function wish(at: LocalGame, ply: number, [kind, word = '']: readonly string[]): Promise<Game> {
  if (kind === 'play') return at.play(word, ply)
  if (kind === 'resign') return at.resign(word as Colour)
  return kind === 'draw' ? at.draw() : kind === 'undo' ? at.undo(ply) : at.redo(ply)
}

function keptFrom(begun: Shown) {
  const seat = (colour: Colour) => {
    const { type, name, level } = begun.seats[colour]
    return { type: type as 'person' | 'engine', name, level }
  }
  const outcome = begun.outcome as Game['outcome']
  const texts = begun.turns.map(({ text }) => text).join(' ')
  return kept({ start: begun.start, seats: { w: seat('w'), b: seat('b') }, turn: begun.turn as Colour, outcome }, texts)
}

describe('a game in the browser', () => {
  beforeEach(freshBrowser)
  afterEach(closeTabs)

  it.each(scripts)('$what', async ({ begun, steps }) => {
    const store = tab()
    await store.add(keptFrom(begun))
    const at = await opened(store)
    let { game } = at
    expect(shown(game)).toEqual(begun)
    for (const step of steps) {
      try {
        game = await wish(at, game.ply, step.wish)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect({ wish: step.wish, refused: (error as ApiError).code }).toEqual(step)
        continue
      }
      expect({ wish: step.wish, game: shown(game) }).toEqual(step)
      // It was stored before it was told: another tab that opens now finds just this.
      expect(shown((await opened(tab())).game)).toEqual(step.game)
    }
  })
})
