/** Whoever comes for the first time is somebody before anything is made: asked again, it is the same one who asks. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Challenge, Me } from '../../../src/api/model'
import { go, route } from '../../../src/browser/router.svelte'
import ChallengeForm from '../../../src/pages/lobby/ChallengeForm.svelte'
import Invitation from '../../../src/pages/lobby/Invitation.svelte'
import Lobby from '../../../src/pages/lobby/Lobby.svelte'
import NewGameCard from '../../../src/play/NewGameCard.svelte'
import { setMe } from '../../../src/session/me.svelte'
import { FakeSocket } from '../../support/fakeSocket'
import { game } from '../../support/games'

const STRANGER: Me = { mode: 'online', player: null, ratings: [], settings: null }
const CHALLENGE: Challenge = {
  id: 'c0ffee-Punct-c0ffee-42',
  link: '/join/c0ffee-Punct-c0ffee-42',
  challenger: { id: 'ada', name: 'Ada', kind: 'person', handle: null, rating: null },
  rules: 'standard',
  position: null,
  colour: null,
  time: '10+5',
  rated: false,
  listed: true,
  created: '2026-01-01T00:00:00Z',
  expires: '2026-01-02T00:00:00Z',
  game: null,
  to: null,
  places: null,
  running: 0,
  declined: null,
  words: null,
  replaces: null,
}

/** Everything that was asked to be changed: by whom, what, and with which key. */
let asked: { by: string | null; path: string; key: string | undefined }[]
/** How many answers get lost after the server has done what they tell. */
let lost: number

/** A server that knows whoever it has told so, and takes everybody else for somebody new. */
function serve(): void {
  let cookie: string | null = null
  let seat: string | null = null
  vi.stubGlobal('fetch', async (path: string, request: { method: string; headers?: Record<string, string> }) => {
    const answer = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status })
    const where = path.replace('/api/v1', '')
    if (request.method !== 'POST') return answer(STORED[where] ?? { levels: [] })
    const key = request.headers?.['Idempotency-Key']
    const by = cookie ?? `somebody${asked.length}`
    asked.push({ by: cookie, path: where, key })
    if (where === '/me') {
      cookie = by
      return answer({
        ...STRANGER,
        player: { id: by, name: null, kind: 'guest', handle: null, created: '', login: false, password: false },
      })
    }
    const taken = where.endsWith('/accept') && seat !== null && seat !== by
    if (taken) return answer({ error: { code: 'taken', message: '', detail: {} } }, 409)
    if (where.endsWith('/accept')) seat = by
    if (lost-- > 0) throw new TypeError('no connection')
    cookie = by
    return answer(where === '/challenges' ? CHALLENGE : game({ id: 'begun' }), 201)
  })
}

/** What can be read, by path. */
const STORED: Readonly<Record<string, unknown>> = {
  '/lobby': { type: 'lobby', challenges: [CHALLENGE], running: [], players: 1 },
  '/me/relations': { following: [], blocked: [] },
}

beforeEach(() => {
  asked = []
  lost = 1
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('scrollTo', () => undefined)
  go('/')
  serve()
  setMe(STRANGER)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function begun(path: string, wanted: string): Promise<void> {
  await vi.waitFor(() => expect(route().path).toBe(path))
  expect(asked.map((one) => one.path)).toEqual(['/me', wanted, wanted])
  expect(asked[1]).toEqual(asked[2])
  expect(asked[1]?.by).toBe('somebody0')
}

describe('a stranger whose answer gets lost', () => {
  it('has the seat that an invitation offered', async () => {
    render(Invitation, { challenge: CHALLENGE, ontaken: () => undefined })
    await fireEvent.click(screen.getByTestId('join'))
    await begun('/game/begun', `/challenges/${CHALLENGE.id}/accept`)
  })

  it('has the seat that the lobby offered', async () => {
    render(Lobby)
    await fireEvent.click(await vi.waitFor(() => screen.getByTestId('sit')))
    await begun('/game/begun', `/challenges/${CHALLENGE.id}/accept`)
  })

  it('has made one challenge', async () => {
    render(ChallengeForm)
    await fireEvent.click(screen.getByTestId('challenge'))
    await begun(`/join/${CHALLENGE.id}`, '/challenges')
  })

  it('has begun one game', async () => {
    render(NewGameCard)
    await fireEvent.click(screen.getByTestId('begin'))
    await begun('/game/begun', '/games')
  })
})

describe('whoever is known', () => {
  it('is not asked to become somebody', async () => {
    setMe({
      ...STRANGER,
      player: { id: 'kim', name: 'Kim', kind: 'guest', handle: null, created: '', login: false, password: false },
    })
    lost = 0
    render(Lobby)
    await fireEvent.click(await vi.waitFor(() => screen.getByTestId('sit')))
    await vi.waitFor(() => expect(asked.map((one) => one.path)).toEqual([`/challenges/${CHALLENGE.id}/accept`]))
  })
})
