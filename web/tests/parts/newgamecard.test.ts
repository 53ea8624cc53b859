/** A new game, and a server that does not answer. */
import { fireEvent, render } from '@testing-library/svelte'
import { afterEach, expect, it, vi } from 'vitest'

import { missed, reached } from '../../src/net/connection.svelte'
import NewGameCard from '../../src/parts/NewGameCard.svelte'

const beginLocal = vi.fn<(wanted: unknown, asked: string | null) => Promise<string>>()
vi.mock('../../src/parts/local.svelte', () => ({
  beginLocal: (wanted: unknown, asked: string | null) => beginLocal(wanted, asked),
}))

afterEach(() => {
  reached()
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
  beginLocal.mockResolvedValue('/local/one')
  const { getByTestId } = render(NewGameCard)
  await fireEvent.click(getByTestId('begin'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(location.pathname).toBe('/local/one')
  const [[wanted, asked] = []] = beginLocal.mock.calls
  expect([...new Set(keys)]).toEqual([asked])
  expect(wanted).toMatchObject({ rules: 'standard', seats: { b: { type: 'engine' } } })
  // While it is known that nobody answers, nobody is asked.
  missed()
  const tries = keys.length
  await fireEvent.click(getByTestId('begin'))
  await vi.advanceTimersByTimeAsync(100)
  expect(beginLocal.mock.calls[1]?.[1]).toBeNull()
  expect(keys).toHaveLength(tries)
})
