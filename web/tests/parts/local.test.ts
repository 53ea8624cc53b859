/** Games of this browser are given to the server when it is there, and later again when it has enough for now. */
import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { DATABASE } from '../../src/local/name'
import { ApiError } from '../../src/net/client'
import { keepHandingOver, localGames } from '../../src/parts/local.svelte'

const giveAll = vi.fn<() => Promise<ApiError | null>>()
const local = {
  giveAll,
  owes: async () => true,
  list: async () => ({ games: [], damaged: [] }),
  store: { hear: () => () => undefined },
}
vi.mock('../../src/parts/later', () => ({ loadLocal: async () => local }))
vi.mock('../../src/parts/enter', () => ({ beKnown: async () => undefined }))
vi.mock('../../src/parts/me.svelte', () => ({ askMe: async () => undefined }))

beforeEach(async () => {
  ;(await openDB(DATABASE)).close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  giveAll.mockReset()
})
afterEach(() => {
  vi.useRealTimers()
})

it('asks a server that has enough for now again, ever less often, until it has taken everything', async () => {
  giveAll.mockResolvedValue(new ApiError(429, 'too_many', 'enough'))
  keepHandingOver()
  await vi.waitFor(() => expect(giveAll).toHaveBeenCalledTimes(1))
  await vi.waitFor(() => expect(localGames().trouble).not.toBe(''))
  giveAll.mockResolvedValueOnce(new ApiError(503, 'store_busy', 'not now')).mockResolvedValueOnce(null)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(giveAll).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(11_000)
  await vi.waitFor(() => expect(giveAll).toHaveBeenCalledTimes(2))
  await vi.advanceTimersByTimeAsync(50_000)
  await vi.waitFor(() => expect(giveAll).toHaveBeenCalledTimes(3))
  await vi.waitFor(() => expect(localGames().trouble).toBe(''))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(giveAll).toHaveBeenCalledTimes(3)
})

it('leaves a game alone that the server will never take', async () => {
  giveAll.mockResolvedValue(new ApiError(422, 'invalid_record', 'no'))
  keepHandingOver()
  await vi.waitFor(() => expect(giveAll).toHaveBeenCalledTimes(1))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(giveAll).toHaveBeenCalledTimes(1)
})
