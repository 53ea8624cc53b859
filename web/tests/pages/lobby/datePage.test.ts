/** The page of a date: what each of the two players can do in each state, and how the game opens from it. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Appointment, Me } from '../../../src/api/model'
import { go, route } from '../../../src/browser/router.svelte'
import { openChapter } from '../../../src/i18n/index.svelte'
import DatePage from '../../../src/pages/lobby/DatePage.svelte'
import { setMe } from '../../../src/session/me.svelte'
import { FakeSocket } from '../../support/fakeSocket'

const ID = 'c0ffee-Punct-c0ffee-42'
const ADA = { id: 'ada', name: 'Ada', kind: 'person', handle: null, rating: null } as const
const KIM = { ...ADA, id: 'kim', name: 'Kim' }
const MINUTE = 60_000
const ahead = (minutes: number): string => new Date(Date.now() + minutes * MINUTE).toISOString()

/** What the server has, and what it was asked to change. */
let stored: Appointment
let asked: { method: string; path: string; body: unknown }[]
/** What the server answers in place of that, if anything. */
let failure: { status: number; code: string } | null
/** What a request waits for before it is answered. */
let held: Promise<unknown>

function appointment(changes: Partial<Appointment> = {}): Appointment {
  const dates = [ahead(60), ahead(120)]
  return {
    ...{ id: ID, link: `/date/${ID}`, state: 'proposed', proposer: ADA, to: KIM, rules: 'standard', colour: 'w' },
    ...{ time: '10+5', rated: true, dates, words: 'After dinner?', zones: { proposer: 'Asia/Tokyo', to: null } },
    ...{ created: ahead(-60), expires: dates[1] ?? '', date: null, opens: null, here: { proposer: false, to: false } },
    ...{ ended_by: null, reply: null, replaces: null, replaced_by: null, game: null },
    ...changes,
  } as Appointment
}

const agreed = (minutes: number, changes: Partial<Appointment> = {}): Appointment =>
  appointment({
    state: 'agreed',
    date: ahead(minutes),
    opens: ahead(minutes - 10),
    expires: ahead(minutes + 15),
    ...changes,
  })

/** Show the page to a player, and wait until it has loaded. */
async function open(as: typeof ADA | typeof KIM, shown: Appointment): Promise<void> {
  stored = shown
  const player = { ...as, created: '', login: true, password: true }
  setMe({ mode: 'online', player, ratings: [], settings: null } as unknown as Me)
  render(DatePage, { id: ID })
  await vi.waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeTruthy())
}

const title = (): string => screen.getByRole('heading', { level: 1 }).textContent.replace(/\s+/g, ' ').trim()

beforeEach(async () => {
  await openChapter('people')
  asked = []
  failure = null
  held = Promise.resolve()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', (path: string, request: { method: string; body?: string }) => {
    const where = path.replace(`/api/v1/appointments/${ID}`, '')
    if (request.method !== 'GET')
      asked.push({ method: request.method, path: where, body: request.body ? JSON.parse(request.body) : null })
    if (where === '/accept') stored = agreed(60, { zones: { proposer: 'Asia/Tokyo', to: 'Europe/Warsaw' } })
    if (where === '/here') {
      const isHere = request.method === 'PUT'
      stored = { ...stored, here: { proposer: stored.here.proposer, to: isHere } }
      if (isHere && stored.here.proposer) stored = { ...stored, state: 'begun', game: 'begun' }
    }
    const body = failure ? { error: { code: failure.code, message: failure.code } } : stored
    const response = new Response(JSON.stringify(body), { status: failure?.status ?? 200 })
    return held.then(() => response)
  })
  go(`/date/${ID}`)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a proposal', () => {
  it('is accepted with the date that was chosen', async () => {
    await open(KIM, appointment())
    expect(title()).toBe('Ada proposes a date')
    expect(screen.getByTestId('proposal-words').textContent).toBe('After dinner?')
    const date = stored.dates[1]
    await fireEvent.click(screen.getByTestId('choose-1'))
    await fireEvent.click(screen.getByTestId('accept'))
    await vi.waitFor(() => expect(title()).toBe('Game with Ada'))
    expect(asked).toEqual([{ method: 'POST', path: '/accept', body: { date, zone: expect.any(String) as string } }])
  })

  it('has no date that is past', async () => {
    await open(KIM, appointment({ dates: [ahead(-1), ahead(30)] }))
    expect(screen.getByTestId<HTMLInputElement>('choose-0').disabled).toBe(true)
    expect(screen.getByTestId<HTMLInputElement>('choose-1').checked).toBe(true)
  })

  it('is answered with other dates by the keyboard alone', async () => {
    await open(KIM, appointment())
    await fireEvent.click(screen.getByTestId('add-date'))
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('date-1')))
    await fireEvent.click(screen.getByTestId('remove-date-1'))
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('date-0')))
  })

  it('waits for the other player', async () => {
    await open(ADA, appointment())
    expect(title()).toBe('You have proposed a date to Kim')
    expect(screen.queryByTestId('accept')).toBeNull()
    await fireEvent.click(screen.getByTestId('remove'))
    await vi.waitFor(() => expect(route().path).toBe('/'))
    expect(asked).toEqual([{ method: 'DELETE', path: '', body: null }])
  })

  it('shows why it was declined, or what answers it', async () => {
    await open(ADA, appointment({ state: 'declined', ended_by: 'kim', reply: 'Not this week.' }))
    expect(title()).toBe('Kim has declined the date')
    expect(screen.getByTestId('reply').textContent).toBe('Not this week.')
    cleanup()
    await open(ADA, appointment({ state: 'declined', ended_by: 'kim', replaced_by: 'other' }))
    expect(screen.getByTestId('answer').getAttribute('href')).toBe('/date/other')
    expect(screen.queryByTestId('remove')).toBeNull()
  })
})

describe('a date that is agreed on', () => {
  it('cannot be gone to before it is near', async () => {
    await open(KIM, agreed(11))
    expect(screen.queryByTestId('here')).toBeNull()
    expect(screen.getByTestId('ics').getAttribute('href')).toBe(`/api/v1/appointments/${ID}/calendar.ics`)
  })

  it('opens the game for the second who comes', async () => {
    await open(KIM, agreed(5, { here: { proposer: true, to: false } }))
    expect(screen.getByTestId('presence').textContent).toContain('Ada is here and waits for you.')
    await fireEvent.click(screen.getByTestId('here'))
    await vi.waitFor(() => expect(route().path).toBe('/game/begun'))
  })

  it('opens the game for the first, who is told by the lobby', async () => {
    await open(KIM, agreed(5))
    await fireEvent.click(screen.getByTestId('here'))
    await vi.waitFor(() => expect(screen.getByTestId('presence').textContent).toContain('You are here.'))
    stored = { ...stored, state: 'begun', game: 'begun' }
    FakeSocket.last.onmessage?.({ data: JSON.stringify({ type: 'appointments', appointments: [stored] }) })
    await vi.waitFor(() => expect(route().path).toBe('/game/begun'))
  })

  it('says that the player has left when the page is closed', async () => {
    await open(KIM, agreed(5))
    await fireEvent.click(screen.getByTestId('here'))
    await vi.waitFor(() => expect(screen.getByTestId('leave')).toBeTruthy())
    cleanup()
    await vi.waitFor(() => expect(asked.map(({ method }) => method)).toEqual(['PUT', 'DELETE']))
  })

  it('sends the leaving after an arrival that is on its way, and opens no game elsewhere', async () => {
    await open(KIM, agreed(5, { here: { proposer: true, to: false } }))
    let answer = (): void => undefined
    held = new Promise<void>((resolve) => (answer = resolve))
    await fireEvent.click(screen.getByTestId('here'))
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    go('/')
    cleanup()
    await Promise.resolve()
    expect(asked.map(({ method }) => method)).toEqual(['PUT'])
    answer()
    await vi.waitFor(() => expect(asked.map(({ method }) => method)).toEqual(['PUT', 'DELETE']))
    expect(route().path).toBe('/')
  })

  it('opens no game for a player who has gone elsewhere while it was loaded', async () => {
    await open(KIM, agreed(5))
    let answer = (): void => undefined
    held = new Promise<void>((resolve) => (answer = resolve))
    stored = { ...stored, state: 'begun', game: 'begun' }
    FakeSocket.last.onmessage?.({ data: JSON.stringify({ type: 'appointments', appointments: [stored] }) })
    go('/')
    cleanup()
    answer()
    await new Promise((resolve) => setTimeout(resolve))
    expect(route().path).toBe('/')
  })

  it('goes on waiting while the server cannot answer, and says when there is none', async () => {
    await open(KIM, agreed(5))
    await fireEvent.click(screen.getByTestId('here'))
    await vi.waitFor(() => expect(screen.getByTestId('leave')).toBeTruthy())
    const news = { data: JSON.stringify({ type: 'appointments', appointments: [stored] }) }
    for (const code of ['store_busy', 'too_many_requests']) {
      failure = { status: code === 'store_busy' ? 503 : 429, code }
      FakeSocket.last.onmessage?.(news)
      await new Promise((resolve) => setTimeout(resolve))
      expect(screen.getByTestId('leave')).toBeTruthy()
    }
    expect(asked.map(({ method }) => method)).toEqual(['PUT'])
    failure = { status: 404, code: 'unknown_appointment' }
    FakeSocket.last.onmessage?.(news)
    await vi.waitFor(() => expect(screen.queryByTestId('leave')).toBeNull())
  })

  it('is over', async () => {
    await open(KIM, agreed(60, { state: 'cancelled', ended_by: 'ada', reply: 'Ill.' }))
    expect(title()).toBe('Ada has cancelled the date')
    expect(screen.getByTestId('remove')).toBeTruthy()
    cleanup()
    await open(KIM, agreed(-20, { state: 'lapsed' }))
    expect(title()).toBe('The game did not begin')
  })
})
