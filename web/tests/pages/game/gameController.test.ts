import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { reportReachable, reportUnreachable } from '../../../src/api/connection.svelte'
import { ServerGame } from '../../../src/api/serverGame'
import type { Advice, Advisor } from '../../../src/coach/advisor'
import { Coach } from '../../../src/coach/coach.svelte'
import type { GameCoach } from '../../../src/coach/gameCoach.svelte'
import { t } from '../../../src/i18n/index.svelte'
import { GameController } from '../../../src/pages/game/gameController.svelte'
import { DEFAULTS } from '../../../src/session/settings.svelte'
import { FakeSocket } from '../../support/fakeSocket'
import { game, PLAYED, REPLIED, turn } from '../../support/games'
import { SHAPE, START } from '../../support/positions'

const sounds = { place: vi.fn(), refuse: vi.fn(), alert: vi.fn(), end: vi.fn() }
const asked: { method: string; path: string; body: unknown }[] = []
let answer: (path: string) => { status: number; body: unknown } | null

/** Somebody plays who wants no motion, so nothing waits. */
function play(start = game()): GameController {
  return new GameController(SHAPE, new ServerGame(start), { ...DEFAULTS }, sounds, () => true)
}

const spoken = (at: GameController): string[] => at.announcer.lines.map(({ text }) => text)

beforeEach(() => {
  asked.length = 0
  localStorage.clear()
  FakeSocket.all = []
  answer = () => null
  for (const spy of Object.values(sounds)) spy.mockClear()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: { method?: string; body?: string }) => {
    asked.push({ method, path, body: body && JSON.parse(body) })
    const found = answer(path)
    if (!found) throw new TypeError('no connection')
    return new Response(JSON.stringify(found.body), { status: found.status })
  })
})
afterEach(() => {
  reportReachable()
  vi.unstubAllGlobals()
})

const settled = () => new Promise((resolve) => setTimeout(resolve))

function enterTurn(at: GameController): void {
  at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' })
  at.moveEntry.act({ do: 'tap', space: 'd5' })
  at.moveEntry.act({ do: 'confirm' })
}

describe('a game at this screen', () => {
  it('sends a turn with its ply, takes the answer, and says it in words', async () => {
    answer = () => ({ status: 200, body: PLAYED })
    const at = play()
    enterTurn(at)
    expect(at.moveEntry.step).toBe('sent')
    await settled()
    expect(asked).toEqual([{ method: 'POST', path: '/api/v1/games/one/turns', body: { text: 'Ed5n', ply: 0 } }])
    expect(at.game.ply).toBe(1)
    expect(at.player).toBeNull()
    expect(at.moveEntry.entry.source).toBeNull()
    expect(spoken(at).at(-1)).toContain('d5')
    expect(sounds.place).toHaveBeenCalledWith(1)
  })

  it('keeps a move that was confirmed without a connection, says so, and plays it when that is back', async () => {
    const at = play()
    reportUnreachable()
    enterTurn(at)
    await vi.waitFor(() => expect(at.sender.waitingMove).toBe('Ed5n'))
    expect(at.moveEntry.ghost).toMatchObject({ space: 'd5', isFixed: true })
    expect([at.moveEntry.step, at.gameMessage]).toEqual(['sent', null])
    expect(spoken(at).at(-1)).toBe(t('notice.waiting', { move: 'Ed5n' }))
    expect(localStorage.getItem('punct.private.move.one')).toContain('Ed5n')
    answer = (path) => ({ status: 200, body: path.endsWith('/turns') ? PLAYED : game() })
    reportReachable()
    await vi.waitFor(() => expect(at.game.ply).toBe(1))
    await settled()
    expect(at.gameMessage?.text).toBe(t('notice.sent_now', { move: 'Ed5n' }))
    expect([at.sender.waitingMove, localStorage.getItem('punct.private.move.one')]).toEqual([null, null])
  })

  it('goes on sending a move after the page was opened again, and shows it meanwhile', async () => {
    const note = { text: 'Ed5n', ply: 0, before: [], key: 'k1', at: Date.now(), refused: null }
    localStorage.setItem('punct.private.move.one', JSON.stringify(note))
    reportUnreachable()
    const at = play()
    expect([at.moveEntry.step, at.moveEntry.ghost?.space]).toEqual(['sent', 'd5'])
    await vi.waitFor(() => expect(at.sender.waitingMove).toBe('Ed5n'))
    answer = (path) => ({ status: 200, body: path.endsWith('/turns') ? PLAYED : game() })
    reportReachable()
    await vi.waitFor(() => expect(at.game.ply).toBe(1))
    expect(at.moveEntry.entry.source).toBeNull()
  })

  it('says in words that a move was not played because the game went on elsewhere', async () => {
    const at = play()
    reportUnreachable()
    enterTurn(at)
    await vi.waitFor(() => expect(at.sender.waitingMove).toBe('Ed5n'))
    const elsewhere = { ...REPLIED, turns: [turn(0, 'Cd5n'), turn(1, 'Tl10n')] }
    const error = { code: 'wrong_ply', message: '', detail: { game: elsewhere } }
    answer = (path) => (path.endsWith('/turns') ? { status: 409, body: { error } } : { status: 200, body: elsewhere })
    reportReachable()
    await vi.waitFor(() => expect(at.sender.waitingMove).toBeNull())
    expect(at.game.revision).toBe(elsewhere.revision)
    expect(at.gameMessage).toMatchObject({ text: t('notice.overtaken', { move: 'Ed5n' }), tone: 'refusal' })
    expect(localStorage.getItem('punct.private.move.one')).toBeNull()
  })

  it('lets go of a move that waits, if that is wished', async () => {
    const at = play()
    reportUnreachable()
    enterTurn(at)
    await vi.waitFor(() => expect(at.sender.waitingMove).toBe('Ed5n'))
    at.sender.withdraw()
    await vi.waitFor(() => expect(at.moveEntry.step).toBe('turn'))
    expect(at.gameMessage?.text).toBe(t('notice.withdrawn'))
    expect(at.moveEntry.ghost).toMatchObject({ space: 'd5', isFixed: true })
  })

  it('says of every other wish whether it was sent, and never that it waits', async () => {
    const at = play(game({ may_undo: true, ply: 1 }))
    reportUnreachable()
    expect(await at.requests.resign()).toBe(false)
    expect(at.gameMessage).toMatchObject({ text: t('notice.unsent'), tone: 'refusal' })
    expect(await at.requests.undo()).toBe(false)
    expect(at.gameMessage?.text).toBe(t('notice.unsent'))
    expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('asks why a space is not allowed, and says the reason in the language chosen', async () => {
    answer = () => ({
      status: 200,
      body: {
        legal: false,
        turn: null,
        reason: 'ADDED_IN_CENTRE',
        section: 'G',
        sentence: '',
        spaces: ['i9'],
        headings: [],
      },
    })
    const at = play()
    at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' })
    at.moveEntry.act({ do: 'tap', space: 'i9' })
    await settled()
    expect(asked[0]?.path).toBe('/api/v1/games/one/explain')
    expect(at.gameMessage).toMatchObject({ tone: 'refusal' })
    expect(at.gameMessage?.text).toMatch(/hexagon/)
    expect(at.gameMessage?.highlights).toEqual(['i9'])
    at.moveEntry.act({ do: 'tap', space: 'd5' })
    expect(at.gameMessage).toBeNull()
  })

  it('plays a typed turn only when it is legal', async () => {
    answer = (path) =>
      path.endsWith('/explain')
        ? {
            status: 200,
            body: {
              legal: false,
              turn: null,
              reason: 'UNREADABLE',
              section: null,
              sentence: 'no turn',
              spaces: [],
              headings: [],
            },
          }
        : { status: 200, body: PLAYED }
    const at = play()
    expect(await at.type('hello')).toBe(false)
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/games/one/explain'])
    answer = (path) =>
      path.endsWith('/explain')
        ? {
            status: 200,
            body: { legal: true, turn: 'Ed5n', reason: null, section: null, sentence: null, spaces: [], headings: [] },
          }
        : { status: 200, body: PLAYED }
    expect(await at.type(' Ed5n ')).toBe(true)
    expect(at.game.ply).toBe(1)
  })

  it('knows without asking that a typed space is not on the board', async () => {
    const at = play()
    for (const typed of ['a9', 'Ta9n', 'd5-a9se', 'A9']) {
      expect(await at.type(typed)).toBe(false)
      expect(at.gameMessage?.text).toMatch(/^There is no space a9\.$/i)
    }
    expect(asked).toEqual([])
  })

  it('hears the game, and never goes back to older news', () => {
    const at = play()
    FakeSocket.last.tell({ type: 'game', game: PLAYED })
    expect(at.game.ply).toBe(1)
    FakeSocket.last.tell({ type: 'game', game: game() })
    expect(at.game.ply).toBe(1)
  })

  it('takes in that a player goes by another name, at the same revision', () => {
    const at = play()
    FakeSocket.last.open()
    const seats = { ...at.game.seats, w: { ...at.game.seats.w, name: 'Anna the Second' } }
    FakeSocket.last.tell({ type: 'current', revision: at.game.revision, seats })
    expect(at.game.seats.w.name).toBe('Anna the Second')
    FakeSocket.last.tell({ type: 'current', revision: at.game.revision })
    expect(at.game.seats.w.name).toBe('Anna the Second')
  })

  it('keeps a turn in progress through news that change nothing', () => {
    const at = play()
    at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' })
    at.moveEntry.act({ do: 'tap', space: 'd5' })
    FakeSocket.last.tell({ type: 'game', game: game({ revision: 2 }) })
    expect(at.moveEntry.ghost).toMatchObject({ space: 'd5', isFixed: true })
  })

  it('shows the thinking about the game it has, and about no other', () => {
    const at = play(PLAYED)
    const state = { state: 'thinking', colour: 'b', level: 3, since: '2026-01-01T00:00:00Z', message: null, code: null }
    const numbers = { ply: 1, colour: 'b', depth: 2, nodes: 9, chance: 0.5, line: [], progress: 0.4 }
    const thinking = { type: 'thinking', thinking: state, ...numbers }
    for (const revision of [1, 3]) {
      FakeSocket.last.tell({ ...thinking, revision })
      expect(at.updates.thinking).toBeNull()
      expect(at.game.thinking.state).toBe('idle')
    }
    FakeSocket.last.tell({ ...thinking, revision: 2 })
    expect(at.updates.thinking?.progress).toBe(0.4)
    expect(at.game.thinking).toEqual(state)
    FakeSocket.last.tell({ ...thinking, revision: 2, thinking: { ...state, state: 'failed', message: 'broken' } })
    expect(at.updates.thinking).toBeNull()
    expect(at.game.thinking.message).toBe('broken')
  })

  it('looks back without touching the game, and comes back with the next turn', async () => {
    const at = play(PLAYED)
    answer = () => ({ status: 200, body: START })
    await at.showPly(0)
    expect(at.viewedPly).toBe(0)
    expect(at.position).toEqual(START)
    expect(at.player).toBeNull()
    FakeSocket.last.tell({ type: 'game', game: { ...PLAYED, ply: 2, revision: 3, view: { ...START, ply: 2 } } })
    expect(at.viewedPly).toBeNull()
    expect(at.position.ply).toBe(2)
  })

  it('tells the end', () => {
    const at = play(PLAYED)
    const outcome = { winner: 'b' as const, reason: 'resignation' as const }
    FakeSocket.last.tell({ type: 'game', game: { ...PLAYED, revision: 3, outcome, view: { ...PLAYED.view, outcome } } })
    expect(at.player).toBeNull()
    expect(sounds.end).toHaveBeenCalledWith('b', 'w')
    expect(spoken(at).at(-1)).toBe('Black wins. White resigned.')
  })

  it('says every step of a turn, and both turns of an exchange, each on a line of its own', async () => {
    answer = () => ({ status: 200, body: PLAYED })
    const at = play()
    enterTurn(at)
    await settled()
    FakeSocket.last.tell({ type: 'game', game: REPLIED })
    expect(spoken(at)).toEqual([
      'Taken: straight piece, PÜNCT at an end',
      'straight piece, PÜNCT at an end, d5, north',
      'White adds a straight piece with its PÜNCT at an end at d5, heading north.',
      'Black adds a triangular piece at l10, heading north.',
    ])
  })

  it('says both turns also when they come as one piece of news', () => {
    const at = play()
    FakeSocket.last.tell({ type: 'game', game: REPLIED })
    expect(spoken(at).map((words) => words.slice(0, 10))).toEqual(['White adds', 'Black adds'])
  })

  it('says that somebody could connect, after the turn that made it so', () => {
    const at = play(PLAYED)
    const threats = { w: { count: 0, turns: [], chain: [] }, b: { count: 2, turns: [], chain: [] } }
    FakeSocket.last.tell({ type: 'game', game: { ...REPLIED, view: { ...REPLIED.view, threats } } })
    expect(spoken(at)).toHaveLength(2)
    expect(spoken(at)[1]).toBe('Careful: your opponent could connect, in 2 ways.')
    expect(at.summary.warning?.tone).toBe('danger')
  })

  it('says what is put back, and the same words again when they are meant again', () => {
    const at = play()
    for (let times = 0; times < 2; times++) {
      at.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
      at.moveEntry.act({ do: 'cancel' })
    }
    expect(spoken(at)).toEqual(['Taken: triangular piece', 'Put back', 'Taken: triangular piece', 'Put back'])
    expect(new Set(at.announcer.lines.map(({ number }) => number)).size).toBe(4)
  })

  it('neither takes back, nor hints, nor plays while an earlier turn is shown, and says so', async () => {
    const at = play(REPLIED)
    answer = () => ({ status: 200, body: START })
    await at.showPly(0)
    asked.length = 0
    const tries = [
      () => at.requests.undo(),
      () => at.requests.redo(),
      () => at.hint(),
      () => at.type('Ed5n'),
      () => at.moveEntry.act({ do: 'take', kind: 'E', colour: 'w' }),
    ]
    for (const attempt of tries) {
      at.clearMessage()
      await attempt()
      expect(at.gameMessage).toMatchObject({ tone: 'refusal', text: expect.stringMatching(/earlier move/) as string })
    }
    expect(asked).toEqual([])
    await at.showPly(2)
    expect(at.viewedPly).toBeNull()
    expect(spoken(at).at(-1)).toBe('Back at the game.')
  })

  it('plays again what was taken back, and tells it', async () => {
    const at = play(game({ revision: 4, may_redo: true }))
    answer = () => ({ status: 200, body: { ...REPLIED, revision: 5 } })
    expect(await at.requests.redo()).toBe(true)
    expect(asked).toEqual([{ method: 'POST', path: '/api/v1/games/one/redo', body: { ply: 0 } }])
    expect(spoken(at)).toHaveLength(2)
    answer = () => ({ status: 200, body: game({ revision: 6, may_redo: true }) })
    await at.requests.undo()
    expect(spoken(at).at(-1)).toBe('Taken back. Your turn.')
  })

  it('knows how it stands', () => {
    expect(play().summary.status).toBe('Your turn')
    expect(play(PLAYED).summary.status).toBe('The computer is thinking')
    const person = { type: 'person' as const, name: 'Ben', level: null, player: null }
    const two = play(game({ seats: { w: person, b: person }, turn: 'b' }))
    expect(two.summary.status).toBe('Black to move')
    expect(two.requests.resigningColour).toBe('b')
    expect(play(game({ outcome: { winner: 'b', reason: 'connection' } })).summary.status).toBe('The computer wins')
  })

  it('tells a turn of the list as the board tells it', () => {
    const at = play()
    const jump = turn(0, 'd5-h9se', { kind: 'M', manner: 'jump', level: 3 })
    FakeSocket.last.tell({ type: 'game', game: { ...PLAYED, turns: [jump] } })
    expect(spoken(at)).toEqual([
      'White jumps with an angular piece with its PÜNCT in the middle from d5 to h9, heading south-east, onto level 3.',
    ])
  })

  it('begins again with the colours changed', async () => {
    answer = () => ({ status: 201, body: game({ id: 'again' }) })
    expect(await play().requests.rematch()).toBe('/game/again')
    expect(asked[0]?.body).toMatchObject({
      rules: 'standard',
      seats: { w: { type: 'engine', level: 1 }, b: { type: 'person' } },
    })
  })

  it('knows when the game is gone', () => {
    const at = play()
    FakeSocket.last.tell({ type: 'gone' })
    expect(at.updates.isGone).toBe(true)
  })
})

describe('a coach beside the game', () => {
  /** A coach who looks as long as a test wants, and then has this to say. */
  function coached(at: GameController): { judged: string[]; decide: (advice: Advice | null) => void } {
    const judged: string[] = []
    let decide: (advice: Advice | null) => void = () => undefined
    const advisor = {
      prepare: () => undefined,
      stop: () => undefined,
      judge: (_: string, turn: string) => {
        judged.push(turn)
        return new Promise<Advice | null>((resolve) => (decide = resolve))
      },
    } as unknown as Advisor
    at.coach = new Coach({} as never, SHAPE, at.announcer, advisor) as GameCoach
    return { judged, decide: (advice) => decide(advice) }
  }
  const ADVICE = { grave: { fact: 'could_connect', colour: 'w', n: 1, turn: 'Ed5n' }, facts: [], about: {} } as never

  it('lets a good turn pass, and asks about a bad one', async () => {
    answer = () => ({ status: 200, body: PLAYED })
    const at = play()
    const { judged, decide } = coached(at)
    enterTurn(at)
    await settled()
    expect([judged, asked]).toEqual([['Ed5n'], []])
    decide(ADVICE)
    await settled()
    expect(at.coach?.question).not.toBeNull()
    expect(asked).toEqual([])
    at.coach?.question?.answer(true)
    await settled()
    expect(at.game.ply).toBe(1)
  })

  it('who takes the turn back has the piece still chosen, and nothing was sent', async () => {
    const at = play()
    const { decide } = coached(at)
    enterTurn(at)
    decide(ADVICE)
    await settled()
    await at.hint()
    expect(asked).toEqual([])
    at.coach?.question?.answer(false)
    await settled()
    expect(asked).toEqual([])
    expect(at.moveEntry.step).toBe('turn')
    expect(at.moveEntry.ghost).toMatchObject({ kind: 'E', space: 'd5', isFixed: true })
  })

  it('asks about a typed turn too, which stays typed', async () => {
    answer = () => ({ status: 200, body: { legal: true } })
    const at = play()
    const { judged, decide } = coached(at)
    const typed = at.type('Ed5n')
    await settled()
    expect(judged).toEqual(['Ed5n'])
    decide(ADVICE)
    await settled()
    at.coach?.question?.answer(false)
    expect(await typed).toBe(false)
  })

  it('is not heard once the game has gone on in another tab, or somebody looks back', async () => {
    const at = play()
    const { decide } = coached(at)
    enterTurn(at)
    decide(ADVICE)
    await settled()
    at.updates.apply(REPLIED)
    await settled()
    expect(at.coach?.question).toBeNull()
    expect(asked).toEqual([])
    expect(at.moveEntry.step).not.toBe('sent')

    answer = () => ({ status: 200, body: START })
    enterTurn(at)
    decide(ADVICE)
    await settled()
    await at.showPly(0)
    expect(at.coach?.question).toBeNull()
    expect(at.viewedPly).toBe(0)
    expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('is only for games against the computer, and for none with a rating', () => {
    const person = { type: 'person' as const, name: null, level: null, player: null }
    expect(play().canCoach).toBe(true)
    expect(play(game({ seats: { w: person, b: person } })).canCoach).toBe(false)
    expect(play(game({ rated: true })).canCoach).toBe(false)
  })
})
