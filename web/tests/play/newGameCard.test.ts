/** A new game, and a server that does not answer. */
import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, expect, it, vi } from 'vitest'

import { reportReachable, reportUnreachable } from '../../src/api/connection.svelte'
import NewGameCard from '../../src/play/NewGameCard.svelte'
import { settings } from '../../src/session/settings.svelte'

const startLocalGame = vi.fn<(wanted: unknown, asked: string | null) => Promise<string>>()
vi.mock('../../src/games/localGames.svelte', () => ({
  startLocalGame: (wanted: unknown, asked: string | null) => startLocalGame(wanted, asked),
}))

afterEach(() => {
  cleanup()
  reportReachable()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is begun here under the key the server was asked with: perhaps it has begun it, too', async () => {
  vi.useFakeTimers()
  const keys: (string | null)[] = []
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (path: string, { method, headers }: RequestInit = {}) => {
    if (path.endsWith('/games') && method === 'POST') keys.push(new Headers(headers).get('Idempotency-Key'))
    if (method === 'POST') throw new TypeError('the answer got lost')
    return new Response('{"levels": []}')
  })
  startLocalGame.mockResolvedValue('/local/one')
  const { getByTestId } = render(NewGameCard)
  await fireEvent.click(getByTestId('begin'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(location.pathname).toBe('/local/one')
  const [[wanted, asked] = []] = startLocalGame.mock.calls
  expect([...new Set(keys)]).toEqual([asked])
  expect(wanted).toMatchObject({ rules: 'standard', seats: { b: { type: 'engine' } } })
  // While it is known that nobody answers, nobody is asked.
  reportUnreachable()
  const tries = keys.length
  await fireEvent.click(getByTestId('begin'))
  await vi.advanceTimersByTimeAsync(100)
  expect(startLocalGame.mock.calls[1]?.[1]).toBeNull()
  expect(keys).toHaveLength(tries)
})

it('offers a coach against the computer, clearly at the first levels, and off until it is wanted', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  const { getByTestId, queryByTestId } = render(NewGameCard)
  const coach = getByTestId('new-coach') as HTMLInputElement
  expect(coach.checked).toBe(false)
  expect(settings.coach).toBe(false)
  expect(getByTestId('coach-offer').classList).toContain('offered')
  await fireEvent.click(getByTestId('level-4'))
  expect(getByTestId('coach-offer').classList).not.toContain('offered')
  await fireEvent.click(coach)
  expect(settings.coach).toBe(true)
  await fireEvent.click(getByTestId('opponent-person'))
  expect(queryByTestId('new-coach')).toBeNull()
  settings.coach = false
})
