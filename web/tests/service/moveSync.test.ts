/** The service worker's half of sending moves that wait: once each, only into the position they were meant for. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keepOnlyInBackground, sendInBackground, stopSendingInBackground } from '../../src/api/backgroundMoves'
import { sendStoredMoves } from '../../src/service/moveSync'

/** A cache as browsers have it, as far as it is used. */
class FakeCache {
  readonly entries = new Map<string, string>()
  readonly #url = (request: RequestInfo | URL): string =>
    new URL(request instanceof Request ? request.url : request, location.href).href
  put = async (request: RequestInfo | URL, response: Response): Promise<void> =>
    void this.entries.set(this.#url(request), await response.text())
  match = async (request: RequestInfo | URL): Promise<Response | undefined> => {
    const text = this.entries.get(this.#url(request))
    return Promise.resolve(text === undefined ? undefined : new Response(text))
  }
  delete = (request: RequestInfo | URL): Promise<boolean> => Promise.resolve(this.entries.delete(this.#url(request)))
  keys = (): Promise<Request[]> => Promise.resolve([...this.entries.keys()].map((url) => new Request(url)))
}

const MOVE = { text: 'Ed5n', ply: 2, before: ['Ea1n', 'Eb2n'], key: 'k1' }
let cache: FakeCache
/** The names of the caches that were opened: it creates them. */
let opened: string[]
let turns: string[]
let sent: { path: string; body: string | undefined; key: string | null }[]
let answer: (method: string) => Response | Promise<Response>
const register = vi.fn(() => Promise.resolve())

beforeEach(() => {
  cache = new FakeCache()
  turns = ['Ea1n', 'Eb2n']
  sent = []
  answer = () => game()
  register.mockClear()
  opened = []
  vi.stubGlobal('caches', {
    has: (name: string) => Promise.resolve(opened.includes(name)),
    open: (name: string) => {
      opened.push(name)
      return Promise.resolve(cache)
    },
  })
  vi.stubGlobal('navigator', {
    serviceWorker: { getRegistration: () => Promise.resolve({ sync: { register } }) },
  })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit = {}) => {
    const method = options.method ?? 'GET'
    if (method === 'POST')
      sent.push({
        path,
        body: options.body as string,
        key: new Headers(options.headers).get('Idempotency-Key'),
      })
    return answer(method)
  })
})

const game = (): Response => new Response(JSON.stringify({ ply: turns.length, turns: turns.map((text) => ({ text })) }))

describe('a move that waits for the network', () => {
  it('is sent once by the worker, with its key', async () => {
    await sendInBackground('g', MOVE)
    expect(register).toHaveBeenCalledWith('punct-moves')
    await sendStoredMoves()
    expect(sent).toEqual([{ path: '/api/v1/games/g/turns', body: JSON.stringify({ text: 'Ed5n', ply: 2 }), key: 'k1' }])
    await sendStoredMoves()
    expect(sent).toHaveLength(1)
  })

  it('stays while the server cannot be reached, or cannot answer', async () => {
    await sendInBackground('g', MOVE)
    answer = () => Promise.reject(new TypeError('no connection'))
    await expect(sendStoredMoves()).rejects.toThrow('no connection')
    answer = (method) => (method === 'GET' ? game() : new Response('{}', { status: 503 }))
    await expect(sendStoredMoves()).rejects.toThrow('503')
    expect(cache.entries.size).toBe(1)
    answer = () => game()
    await sendStoredMoves()
    expect(cache.entries.size).toBe(0)
  })

  it('is left to the page if the game has gone another way', async () => {
    await sendInBackground('g', MOVE)
    turns = ['Ea1n', 'Ec3n']
    await sendStoredMoves()
    expect(sent).toEqual([])
    expect(cache.entries.size).toBe(0)
  })

  it('is not sent again after it was played', async () => {
    await sendInBackground('g', MOVE)
    turns.push('Ed5n')
    await sendStoredMoves()
    expect(sent).toEqual([])
    expect(cache.entries.size).toBe(0)
  })

  it('is not sent after it was withdrawn, however quickly', async () => {
    void sendInBackground('g', MOVE)
    await stopSendingInBackground('g')
    await sendStoredMoves()
    expect(sent).toEqual([])
  })

  it('stays if another one was stored while it was being sent', async () => {
    await sendInBackground('g', MOVE)
    answer = async (method) => {
      if (method === 'POST') await sendInBackground('g', { ...MOVE, key: 'k2' })
      return game()
    }
    await sendStoredMoves()
    expect([...cache.entries.values()].map((text) => (JSON.parse(text) as { key: string }).key)).toEqual(['k2'])
  })

  it('goes with the player whose it was', async () => {
    await sendInBackground('g', MOVE)
    await sendInBackground('h', MOVE)
    await keepOnlyInBackground(['h'])
    expect([...cache.entries.keys()]).toEqual([expect.stringMatching(/moves-to-send\/h$/)])
  })

  it('is sent by the page alone where the browser has no such thing', async () => {
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve({}) } })
    await sendInBackground('g', MOVE)
    expect(cache.entries.size).toBe(0)
  })

  it('needs no cache before there is one', async () => {
    await keepOnlyInBackground([])
    await stopSendingInBackground('g')
    expect(opened).toEqual([])
    await sendInBackground('g', MOVE)
    expect(opened).toEqual(['moves-to-send'])
    await keepOnlyInBackground([])
    expect(cache.entries.size).toBe(0)
  })
})
