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
})

it('is begun here under the key the server was asked with: perhaps it has begun it, too', async () => {
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
  await vi.waitFor(() => expect(location.pathname).toBe('/local/one'))
  expect(keys).toHaveLength(2)
  const [[wanted, asked] = []] = beginLocal.mock.calls
  expect(keys).toEqual([asked, asked])
  expect(wanted).toMatchObject({ rules: 'standard', seats: { b: { type: 'engine' } } })
  // While it is known that nobody answers, nobody is asked.
  missed()
  await fireEvent.click(getByTestId('begin'))
  await vi.waitFor(() => expect(beginLocal).toHaveBeenCalledTimes(2))
  expect(beginLocal.mock.calls[1]?.[1]).toBeNull()
  expect(keys).toHaveLength(2)
})
