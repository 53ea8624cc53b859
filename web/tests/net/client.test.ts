/** Requests: what the server refuses is an answer; silence, and whatever answers in its place, is not. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { analysis } from '../../src/net/analysis'
import { api } from '../../src/net/client'
import { connection, reached } from '../../src/net/connection.svelte'

const answers = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', answers)
  answers.mockReset()
})

afterEach(async () => {
  reached()
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
  expect(connection()).toBe('online')
})

it.each([
  ['a gateway’s page', new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a gateway’s answer', new Response('{"message":"upstream"}', { status: 503 })],
  ['a page in between', new Response('<h1>Please log in</h1>', { status: 200 })],
])('takes %s for what it is: not the server', async (_, response) => {
  answers.mockResolvedValue(response)
  await expect(api.game('one')).rejects.toMatchObject({ code: 'offline' })
  expect(connection()).toBe('lost')
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
  const refused = expect(api.play('one', 'Ed5n', 0)).rejects.toMatchObject({ code: 'offline' })
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
  expect(connection()).toBe('lost')
})

it('lets a hint take its time, and be withdrawn without anything being wrong', async () => {
  answers.mockImplementation(silence)
  const withdrawal = new AbortController()
  const refused = expect(api.hint('one', withdrawal.signal)).rejects.toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(60_000)
  withdrawal.abort()
  await refused
  expect(connection()).toBe('online')
})
