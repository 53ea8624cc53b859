/** Games of this browser are given to the server when it is there, and later again when it has enough for now. */
import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { ApiError } from '../../src/api/client'
import { keepUploading, localGames } from '../../src/games/localGames.svelte'
import { DATABASE } from '../../src/local/database'

const uploadEverything = vi.fn<() => Promise<ApiError | null>>()
const local = {
  uploadEverything,
  hasUploads: async () => true,
  list: async () => ({ games: [], damaged: [] }),
  store: { subscribe: () => () => undefined },
}
vi.mock('../../src/local/lazy', () => ({ loadLocal: async () => local }))
vi.mock('../../src/session/identity', () => ({ ensureIdentity: async () => undefined }))
vi.mock('../../src/session/me.svelte', () => ({ loadMe: async () => undefined }))

beforeEach(async () => {
  ;(await openDB(DATABASE)).close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  uploadEverything.mockReset()
})
afterEach(() => {
  vi.useRealTimers()
})

it('asks a server that has enough for now again, ever less often, until it has taken everything', async () => {
  uploadEverything.mockResolvedValue(new ApiError(429, 'too_many', 'enough'))
  keepUploading()
  await vi.waitFor(() => expect(uploadEverything).toHaveBeenCalledTimes(1))
  await vi.waitFor(() => expect(localGames().error).not.toBe(''))
  uploadEverything.mockResolvedValueOnce(new ApiError(503, 'store_busy', 'not now')).mockResolvedValueOnce(null)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(uploadEverything).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(11_000)
  await vi.waitFor(() => expect(uploadEverything).toHaveBeenCalledTimes(2))
  await vi.advanceTimersByTimeAsync(50_000)
  await vi.waitFor(() => expect(uploadEverything).toHaveBeenCalledTimes(3))
  await vi.waitFor(() => expect(localGames().error).toBe(''))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(uploadEverything).toHaveBeenCalledTimes(3)
})

it('leaves a game alone that the server will never take', async () => {
  uploadEverything.mockResolvedValue(new ApiError(422, 'invalid_record', 'no'))
  keepUploading()
  await vi.waitFor(() => expect(uploadEverything).toHaveBeenCalledTimes(1))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(uploadEverything).toHaveBeenCalledTimes(1)
})
