/** News that come late, in the wrong order, or after a break: what is shown is always the newest. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { connectionState, reportReachable } from '../../../src/api/connection.svelte'
import { ServerGame } from '../../../src/api/serverGame'
import type { Game, PositionView, Thinking } from '../../../src/api/model'
import { GameController } from '../../../src/pages/game/gameController.svelte'
import { DEFAULTS } from '../../../src/session/settings.svelte'
import { FakeSocket } from '../../support/fakeSocket'
import { game, PLAYED, turn } from '../../support/games'
import { SHAPE, START } from '../../support/positions'

/** What was asked and not yet answered, by path. */
const asked: { readonly path: string; readonly answer: (body: unknown) => Promise<void> }[] = []
let at: GameController

/** The first open question that ends so. */
async function answer(path: string, body: unknown): Promise<void> {
  const index = asked.findIndex((question) => question.path.endsWith(path))
  if (index < 0) throw new Error(`nobody asked for ${path}, but for ${asked.map((question) => question.path).join()}`)
  await asked.splice(index, 1)[0]?.answer(body)
}

function begin(start: Game): void {
  at = new GameController(
    SHAPE,
    new ServerGame(start),
    { ...DEFAULTS },
    { place: vi.fn(), refuse: vi.fn(), alert: vi.fn(), end: vi.fn() },
    () => true,
  )
  FakeSocket.last.open()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', (path: string) => {
    return new Promise<Response>((resolve) => {
      const answer = async (body: unknown): Promise<void> => {
        resolve(new Response(JSON.stringify(body)))
        await vi.advanceTimersByTimeAsync(0)
      }
      asked.push({ path, answer })
    })
  })
  FakeSocket.all = []
  asked.length = 0
})

afterEach(async () => {
  at.close()
  reportReachable()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A game after these turns; what they are does not matter here. */
function after(revision: number, ...texts: string[]): Game {
  const turns = texts.map((text, ply) => turn(ply, text))
  return game({ ply: texts.length, revision, turns, view: position(texts.length, `now ${texts.join(' ')}`) })
}

const position = (ply: number, text = `after ${ply}`): PositionView => ({ ...START, ply, text })
const told = (news: Game): void => FakeSocket.last.tell({ type: 'game', game: news })
const TURNS = ['Ta2n', 'Tb2n', 'Tc2n', 'Td2n', 'Te2n', 'Tf2n', 'Tg2n', 'Th2n']

describe('looking back', () => {
  it('shows what was asked for last, in whatever order the answers come', async () => {
    begin(after(9, ...TURNS))
    void at.showPly(5)
    void at.showPly(6)
    await answer('/positions/6', position(6))
    expect(at.position.text).toBe('after 6')
    await answer('/positions/5', position(5))
    expect(at.viewedPly).toBe(6)
    expect(at.position.text).toBe('after 6')
    // The late one was not for nothing.
    await at.showPly(5)
    expect(at.position.text).toBe('after 5')
    expect(asked).toEqual([])
  })

  it('ends for good with the way back to the game, and with the next turn', async () => {
    begin(after(9, ...TURNS))
    void at.showPly(5)
    void at.showPly(8)
    await answer('/positions/5', position(5))
    expect(at.viewedPly).toBeNull()
    void at.showPly(4)
    told(after(10, ...TURNS, 'Ti2n'))
    await answer('/positions/4', position(4))
    expect(at.viewedPly).toBeNull()
    expect(at.position.ply).toBe(9)
  })

  it('asks anew for positions after turns that were taken back', async () => {
    begin(after(9, ...TURNS))
    for (const ply of [3, 5, 6]) {
      void at.showPly(ply)
      await answer(`/positions/${ply}`, position(ply))
    }
    // During a break three were taken back and three others played: as many turns as before.
    told(after(15, ...TURNS.slice(0, 5), 'Cf2n', 'Cg2n', 'Ch2n'))
    for (const ply of [3, 5]) {
      await at.showPly(ply)
      expect(at.position.text).toBe(`after ${ply}`)
    }
    void at.showPly(6)
    await answer('/positions/6', position(6, 'another'))
    expect(at.position.text).toBe('another')
  })

  it('keeps nothing that was asked for before turns were taken back', async () => {
    begin(after(9, ...TURNS))
    void at.showPly(6)
    told(after(15, ...TURNS.slice(0, 5), 'Cf2n', 'Cg2n', 'Ch2n'))
    await answer('/positions/6', position(6, 'gone'))
    expect(at.viewedPly).toBeNull()
    void at.showPly(6)
    await answer('/positions/6', position(6, 'another'))
    expect(at.position.text).toBe('another')
  })
})

describe("the computer's thinking", () => {
  const state = (state: Thinking['state'], second: number): Thinking => ({
    state,
    colour: 'b',
    level: 1,
    since: `2026-01-01T00:00:0${second}.25Z`,
    message: null,
    code: null,
  })
  const QUEUED = { ...PLAYED, thinking: state('queued', 1) }
  const THINKING = { ...PLAYED, thinking: state('thinking', 2) }
  const progress = (revision: number, thinking: Thinking, progress: number) =>
    FakeSocket.last.tell({
      type: 'thinking',
      revision,
      thinking,
      ...{ ply: 1, colour: 'b', depth: 2, nodes: 9, chance: 0.5, line: [], progress },
    })

  it('is not set back by the late answer to the turn before it', async () => {
    begin(game())
    at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' })
    at.moveEntry.act({ do: 'tap', space: 'd5' })
    at.moveEntry.act({ do: 'confirm' })
    told(QUEUED)
    progress(2, state('thinking', 2), 0.5)
    await answer('/turns', QUEUED)
    expect(at.game.thinking.state).toBe('thinking')
    expect(at.updates.thinking?.progress).toBe(0.5)
    expect(at.moveEntry.step).toBe('choose')
  })

  it('is not set back by an answer from before it began at all', async () => {
    begin(game({ may_undo: true }))
    void at.requests.undo()
    told(THINKING)
    await answer('/undo', PLAYED)
    expect(at.game.thinking.state).toBe('thinking')
  })

  it('is not brought back by old messages once the computer has played', () => {
    begin(THINKING)
    progress(2, state('thinking', 2), 0.5)
    const next = after(3, 'Ed5n', 'Tl10n')
    told(next)
    expect(at.updates.thinking).toBeNull()
    progress(2, state('thinking', 2), 0.9)
    told(THINKING)
    expect(at.updates.thinking).toBeNull()
    expect(at.game).toEqual(next)
  })

  it('says why it failed in our words, once', () => {
    begin(THINKING)
    const failed = { ...state('failed', 3), message: 'in English' }
    const told: [string | null, string][] = [
      ['engine_failed', 'The computer broke down. Try again.'],
      ['store_failed', 'The computer could not move: The server could not store that. Perhaps its disk is full.'],
      ['something new', 'The computer broke down. Try again.'],
      [null, 'The computer broke down. Try again.'],
    ]
    for (const [code, words] of told) {
      progress(2, { ...failed, code }, 0)
      expect(at.summary.failure).toBe(words)
    }
    expect(at.announcer.lines.map(({ text }) => text)).toEqual(['The computer broke down. Try again.'])
  })

  it('begins anew after it failed', () => {
    begin(THINKING)
    progress(2, state('failed', 3), 0)
    expect(at.game.thinking.state).toBe('failed')
    progress(2, state('thinking', 2), 0.9)
    expect(at.game.thinking.state).toBe('failed')
    told({ ...PLAYED, thinking: state('queued', 4) })
    expect(at.game.thinking.state).toBe('queued')
  })
})

it('shows the newest state after a dead line was noticed and the server is back', async () => {
  begin(after(9, ...TURNS))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(connectionState()).toBe('lost')
  expect(at.updates.isConnected).toBe(false)
  await answer('/health', {})
  expect(FakeSocket.all).toHaveLength(2)
  FakeSocket.last.open()
  told(after(12, ...TURNS.slice(0, 7)))
  expect(at.updates.isConnected).toBe(true)
  expect(at.game.ply).toBe(7)
  expect(at.position.text).toContain('now Ta2n')
})
