/** Requests: what the server refuses is an answer; silence, and whatever answers in its place, is not. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { analysis } from '../../src/api/analysis'
import { api, newKey } from '../../src/api/client'
import { connectionState, reportReachable } from '../../src/api/connection.svelte'
import { challenges } from '../../src/api/online'

const answers = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', answers)
  answers.mockReset()
})

afterEach(async () => {
  reportReachable()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A fetch that nobody ever answers. */
const silence: typeof fetch = (_, options) =>
  new Promise((_, reject) =>
    options?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
  )

it('tells the server’s refusals with their codes', async () => {
  const error = { code: 'illegal_turn', message: 'not allowed', detail: { reason: 'PINNED' } }
  answers.mockResolvedValue(new Response(JSON.stringify({ error }), { status: 422 }))
  await expect(api.game('one')).rejects.toMatchObject({ status: 422, code: 'illegal_turn', reason: 'PINNED' })
  expect(connectionState()).toBe('online')
})

it.each([
  ['a gateway’s page', new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a gateway’s answer', new Response('{"message":"upstream"}', { status: 503 })],
  ['a page in between', new Response('<h1>Please log in</h1>', { status: 200 })],
])('takes %s for what it is: not the server', async (_, response) => {
  answers.mockResolvedValue(response)
  await expect(api.game('one')).rejects.toMatchObject({ code: 'offline' })
  expect(connectionState()).toBe('lost')
})

it('reads a record as the text it is, and its refusals as what they are', async () => {
  const plain = { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }
  answers.mockResolvedValueOnce(new Response('1. Ed5ne *', plain))
  expect(await analysis.recordOf('one')).toBe('1. Ed5ne *')
  const error = { code: 'too_many', message: 'later', detail: null }
  answers.mockResolvedValueOnce(new Response(JSON.stringify({ error }), { status: 429 }))
  await expect(analysis.recordOf('one')).rejects.toMatchObject({ status: 429, code: 'too_many' })
  answers.mockResolvedValueOnce(new Response('<h1>Please log in</h1>', { headers: { 'Content-Type': 'text/html' } }))
  await expect(analysis.recordOf('one')).rejects.toMatchObject({ code: 'offline' })
  answers.mockImplementation(silence)
  const refused = expect(analysis.recordOf('one')).rejects.toMatchObject({ code: 'offline' })
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
})

it('does not wait for ever', async () => {
  answers.mockImplementation(silence)
  const refused = expect(api.game('one')).rejects.toMatchObject({ code: 'offline' })
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
  expect(connectionState()).toBe('lost')
})

const CHANGES: readonly [string, () => Promise<unknown>][] = [
  ['a turn', () => api.play('one', 'Ed5n', 0, newKey())],
  ['a turn taken back', () => api.undo('one', 1)],
  ['a turn played again', () => api.redo('one', 1)],
  ['a resignation', () => api.resign('one', null)],
  ['a draw', () => api.draw('one')],
  ['an offer', () => api.offer('one', 'draw')],
  ['a consent', () => api.accept('one', 'undo')],
  ['a refusal', () => api.refuse('one')],
  ['a game called off', () => api.abort('one')],
  ['a game deleted', () => api.remove('one')],
  ['a record', () => api.importGames('1. Ed5ne *')],
  ['a challenge', () => challenges.create({})],
  ['a challenge withdrawn', () => challenges.withdraw('one')],
]
const refusal = (code: string, status = 503): Response =>
  new Response(JSON.stringify({ error: { code, message: '', detail: null } }), { status })

describe.each(CHANGES)('%s', (_, change) => {
  it('is asked for again with the same key while the server is away, is renewed or is busy', async () => {
    answers.mockRejectedValueOnce(new TypeError('no network'))
    answers.mockResolvedValueOnce(refusal('stopping'))
    answers.mockResolvedValueOnce(refusal('store_busy'))
    answers.mockResolvedValueOnce(new Response('{"games": []}'))
    const done = change()
    await vi.advanceTimersByTimeAsync(10_000)
    await done
    const keys = answers.mock.calls.map(([, options]) => new Headers(options?.headers).get('Idempotency-Key'))
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(answers.mock.calls.map(([path, options]) => JSON.stringify([path, options?.body]))).size).toBe(1)
  })

  it('has another key when it is wished for again', async () => {
    answers.mockImplementation(() => Promise.resolve(new Response('{"games": []}')))
    await change()
    await change()
    const keys = answers.mock.calls.map(([, options]) => new Headers(options?.headers).get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(2)
  })
})

it.each([
  ['illegal_turn', 422],
  ['wrong_ply', 409],
  ['engine_failed', 503],
])('takes %s for an answer', async (code, status) => {
  answers.mockResolvedValue(refusal(code, status))
  await expect(api.play('one', 'Ed5n', 0, 'key')).rejects.toMatchObject({ code })
  expect(answers).toHaveBeenCalledTimes(1)
})

it('gives a change up at last', async () => {
  answers.mockRejectedValue(new TypeError('no network'))
  const lost = expect(api.play('one', 'Ed5n', 0, 'key')).rejects.toMatchObject({ code: 'offline' })
  await vi.advanceTimersByTimeAsync(10_000)
  await lost
  const played = answers.mock.calls.filter(([path]) => path === '/api/v1/games/one/turns')
  expect(played).toHaveLength(4)
  answers.mockClear()
  // It is known by now: the server is looked for, and nothing is sent that nobody would know the end of.
  await expect(api.play('one', 'Ed5n', 0, 'key')).rejects.toMatchObject({ code: 'offline', detail: { sent: false } })
  expect(answers.mock.calls.filter(([path]) => path !== '/api/v1/health')).toEqual([])
  reportReachable()
  answers.mockReset().mockImplementation(silence)
  const silent = expect(api.play('one', 'Ed5n', 0, 'key')).rejects.toMatchObject({ code: 'offline' })
  await vi.advanceTimersByTimeAsync(45_000) // nobody waits for four such silences
  await silent
})

it('lets a hint take its time, and be withdrawn without anything being wrong', async () => {
  answers.mockImplementation(silence)
  const withdrawal = new AbortController()
  const refused = expect(api.hint('one', withdrawal.signal)).rejects.toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(60_000)
  withdrawal.abort()
  await refused
  expect(connectionState()).toBe('online')
})
