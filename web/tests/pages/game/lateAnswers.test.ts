/** A game whose answers come late, twice or in another order: what they were asked for may have gone by then. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { reportReachable } from '../../../src/api/connection.svelte'
import { ServerGame } from '../../../src/api/serverGame'
import type { Explanation, Game, Hint, PositionView } from '../../../src/api/model'
import { GameController } from '../../../src/pages/game/gameController.svelte'
import { DEFAULTS } from '../../../src/session/settings.svelte'
import { type Deferred, deferred, settled } from '../../support/deferred'
import { FakeSocket } from '../../support/fakeSocket'
import { game, PLAYED, REPLIED } from '../../support/games'
import { SHAPE, START } from '../../support/positions'

const sounds = { place: vi.fn(), refuse: vi.fn(), alert: vi.fn(), end: vi.fn() }

/** What was asked, by the end of its address, and each answer when a test gives it. */
let asked: { path: string; answer: Deferred<Response> }[] = []

function paths(): string[] {
  return asked.map(({ path }) => path.replace('/api/v1/games/one/', ''))
}

async function answer(number: number, body: unknown, status = 200): Promise<void> {
  asked[number]?.answer.answer(new Response(JSON.stringify(body), { status }))
  await settled()
}

function play(start: Game, still = true): GameController {
  return new GameController(SHAPE, new ServerGame(start), { ...DEFAULTS }, sounds, () => still)
}

const viewAt = (ply: number): PositionView => ({ ...START, ply, text: `after ${ply}`, last: null })
const HINT: Hint = { ply: 2, turn: 'Ed5n', chance: 0.5, line: [], depth: 1, nodes: 1 }
const LEGAL: Explanation = {
  legal: true,
  turn: 'Ed5n',
  reason: null,
  section: null,
  sentence: null,
  spaces: [],
  headings: [],
}
const ILLEGAL: Explanation = { ...LEGAL, legal: false, turn: null, reason: 'ADDED_IN_CENTRE', spaces: ['i9'] }
const GONE = { error: { code: 'unknown_game', message: 'There is no such game.' } }

beforeEach(() => {
  asked = []
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', (path: string) => {
    const waiting = deferred<Response>()
    asked.push({ path, answer: waiting })
    return waiting.promise
  })
  for (const spy of Object.values(sounds)) spy.mockClear()
})
afterEach(() => {
  reportReachable()
  vi.unstubAllGlobals()
})

describe('a step through the game', () => {
  it('to the end leads to the reply that waits to be shown', async () => {
    const at = play(game(), false)
    at.updates.apply(PLAYED)
    at.updates.apply(REPLIED)
    expect(at.game.ply).toBe(1)
    await at.step('last')
    expect([at.game.ply, at.viewedPly, asked]).toEqual([2, null, []])
  })

  it('goes on from where the last one leads, and asks for each position once', async () => {
    const at = play({ ...REPLIED, ply: 4, turns: [...REPLIED.turns, ...REPLIED.turns] })
    for (let steps = 0; steps < 4; steps++) void at.step('previous')
    expect(paths()).toEqual(['positions/3', 'positions/2', 'positions/1', 'positions/0'])
    void at.step('previous')
    expect(asked).toHaveLength(4)
    await answer(3, viewAt(0))
    for (const ply of [1, 2, 0]) await answer(ply, viewAt(3 - ply))
    expect([at.viewedPly, at.position.text]).toEqual([0, 'after 0'])
    void at.step('next')
    void at.step('next')
    expect(asked).toHaveLength(4) // they have come before
    await settled()
    expect([at.viewedPly, at.position.text]).toEqual([2, 'after 2'])
  })

  it('is over where its position cannot be had, and the next one begins from what is shown', async () => {
    const at = play(REPLIED)
    void at.step('previous')
    await answer(0, { error: { code: 'server_error', message: 'no' } }, 500)
    expect([at.viewedPly, at.gameMessage?.tone]).toEqual([null, 'refusal'])
    void at.step('previous')
    expect(paths()).toEqual(['positions/1', 'positions/1'])
  })
})

describe('a hint', () => {
  it('is not laid on an earlier position, nor when one is back', async () => {
    const at = play(REPLIED)
    void at.hint()
    void at.step('previous')
    await answer(1, viewAt(1))
    await answer(0, HINT)
    expect([at.moveEntry.ghost, at.viewedPly, at.hints.isThinking]).toEqual([null, 1, false])
    await at.step('last')
    expect(at.moveEntry.ghost).toBeNull()
    void at.hint()
    await answer(2, HINT)
    expect(at.moveEntry.ghost).toMatchObject({ space: 'd5', kind: 'E' })
  })

  it('does not take away what was laid meanwhile', async () => {
    const at = play(REPLIED)
    void at.hint()
    at.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    at.moveEntry.act({ do: 'tap', space: 'o8' })
    await answer(0, HINT)
    expect(at.moveEntry.ghost).toMatchObject({ space: 'o8', kind: 'T' })
    expect(at.gameMessage).toBeNull()
    void at.hint() // wanted for what is laid now
    await answer(1, HINT)
    expect(at.moveEntry.ghost).toMatchObject({ space: 'd5', kind: 'E' })
  })
})

describe('why something is not allowed', () => {
  it('is not said to whoever has gone on', async () => {
    const at = play(REPLIED)
    at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' })
    at.moveEntry.act({ do: 'tap', space: 'i9' })
    at.moveEntry.act({ do: 'tap', space: 'd5' })
    await answer(0, ILLEGAL)
    expect([at.gameMessage, sounds.refuse.mock.calls]).toEqual([null, []])
  })
})

describe('a wish', () => {
  it('that is pressed twice is one', async () => {
    const at = play(REPLIED)
    const first = at.requests.undo()
    expect(await at.requests.undo()).toBe(false)
    expect(await at.requests.redo()).toBe(false)
    expect(paths()).toEqual(['undo'])
    await answer(0, game({ revision: 4 }))
    expect([await first, at.game.ply, at.gameMessage]).toEqual([true, 0, null])
    expect(at.requests.isBusy).toBe(false)
  })

  it('to step back is taken again as soon as the game shows the last step, before its answer', async () => {
    const at = play(REPLIED)
    void at.requests.undo()
    at.updates.apply({ ...REPLIED, revision: REPLIED.revision + 1 })
    void at.requests.undo()
    expect(paths()).toEqual(['undo', 'undo'])
  })

  it('typed twice is played once', async () => {
    const at = play(REPLIED)
    const first = at.type('Ed5n')
    const second = at.type('Ed5n')
    await answer(0, LEGAL)
    const third = at.type('Ed5n')
    await answer(1, { ...PLAYED, ply: 3, revision: 5 })
    expect([await first, await second, await third]).toEqual([true, false, false])
    expect(paths()).toEqual(['explain', 'turns'])
    expect([at.gameMessage, sounds.refuse.mock.calls]).toEqual([null, []])
  })

  it('typed for another position is not played', async () => {
    const at = play(REPLIED)
    const typed = at.type('Ed5n')
    at.updates.apply(game({ revision: 9, turn: 'w' }))
    await answer(0, LEGAL)
    expect(await typed).toBe(false)
    expect(paths()).toEqual(['explain'])
  })

  it('for a rematch is asked once, however often it is pressed', async () => {
    const at = play(REPLIED)
    const first = at.requests.rematch()
    expect([await at.requests.rematch(), at.requests.isBusy]).toEqual([null, true])
    await answer(0, game({ id: 'two' }))
    expect([await first, asked.length]).toEqual(['/game/two', 1])
  })
})

describe('a game that is gone', () => {
  it('is noticed by whatever is asked of it', async () => {
    const at = play(REPLIED)
    void at.requests.undo()
    await answer(0, GONE, 404)
    expect(at.updates.isGone).toBe(true)
  })

  it('is noticed where the connection comes back', () => {
    const at = play(REPLIED)
    FakeSocket.last.open()
    FakeSocket.last.end(4404)
    expect(at.updates.isGone).toBe(true)
  })
})
