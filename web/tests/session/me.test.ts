/** Who one is here, and being told when that has ended elsewhere. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { api, ApiError, request } from '../../src/api/client'
import type { Me } from '../../src/api/model'
import { me, setMe, wasLoggedOut, watchSession } from '../../src/session/me.svelte'

const known = (id: string | null, login = true): Me => ({
  mode: 'online',
  player:
    id === null ? null : { id, name: id, kind: 'person', handle: null, created: '2026-05-01', login, password: true },
  ratings: [],
  settings: null,
})
const looked = (): boolean => document.dispatchEvent(new Event('visibilitychange'))
let stop: () => void

beforeEach(() => {
  setMe(known('anna'))
  stop = watchSession()
})
afterEach(() => stop())

it('is as it was while the session lasts', async () => {
  const asked = vi.spyOn(api, 'me').mockResolvedValue(known('anna'))
  looked()
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce())
  await Promise.resolve()
  expect([wasLoggedOut(), me().player?.id]).toEqual([false, 'anna'])
})

it.each([null, 'a new guest'])('tells that one was logged out, and is %s now', async (id) => {
  vi.spyOn(api, 'me').mockResolvedValue(known(id, false))
  looked()
  await vi.waitFor(() => expect(wasLoggedOut()).toBe(true))
  expect(me().player?.id ?? null).toBe(id)
  setMe(known('anna'))
  expect(wasLoggedOut()).toBe(false)
})

it('looks again when something is refused because of who asks', async () => {
  vi.spyOn(api, 'me').mockResolvedValue(known(null))
  const body = JSON.stringify({ error: { code: 'stranger', message: '', detail: null } })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status: 401 })))
  await expect(request('PATCH', '/me')).rejects.toBeInstanceOf(ApiError)
  await vi.waitFor(() => expect(wasLoggedOut()).toBe(true))
  vi.unstubAllGlobals()
})

it('asks nobody about guests, who cannot be logged out', () => {
  const asked = vi.spyOn(api, 'me')
  setMe(known('guest', false))
  looked()
  expect(asked).not.toHaveBeenCalled()
})

it('leaves one alone who logs in meanwhile', async () => {
  let answer: (now: Me) => void = () => undefined
  vi.spyOn(api, 'me').mockReturnValue(new Promise((resolve) => (answer = resolve)))
  looked()
  setMe(known('ben'))
  answer(known(null))
  await Promise.resolve()
  await Promise.resolve()
  expect([wasLoggedOut(), me().player?.id]).toEqual([false, 'ben'])
})
