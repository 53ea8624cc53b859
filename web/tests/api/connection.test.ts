/**
 * Whether the server answers: lost at the first silence, asked again less and less often, and good news that passes.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  connectionState,
  onReconnect,
  reconnectCount,
  reportReachable,
  reportUnreachable,
  retryNow,
} from '../../src/api/connection.svelte'

const answers = vi.fn<() => Promise<Response>>()
const silence = (): Promise<Response> => Promise.reject(new TypeError('no network'))

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  answers.mockReset().mockImplementation(silence)
  vi.stubGlobal('fetch', answers)
})

afterEach(async () => {
  reportReachable()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is fine as long as everything answers', () => {
  reportReachable()
  expect(connectionState()).toBe('online')
  expect(answers).not.toHaveBeenCalled()
})

it('asks again, less and less often, until the server is back', async () => {
  const before = reconnectCount()
  reportUnreachable()
  reportUnreachable()
  expect(connectionState()).toBe('lost')
  await vi.advanceTimersByTimeAsync(1000)
  expect(answers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1600)
  expect(answers).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(600_000)
  const calls = answers.mock.calls.length
  await vi.advanceTimersByTimeAsync(8000)
  expect(answers).toHaveBeenCalledTimes(calls + 1)
  expect(connectionState()).toBe('lost')

  answers.mockResolvedValue(new Response('{}'))
  for (let second = 0; second < 15 && connectionState() === 'lost'; second++) await vi.advanceTimersByTimeAsync(1000)
  expect(connectionState()).toBe('restored')
  expect(reconnectCount()).toBe(before + 1)
  await vi.advanceTimersByTimeAsync(4000)
  expect(connectionState()).toBe('online')
})

it('asks at once when told to, or when the network comes back', async () => {
  reportUnreachable()
  answers.mockResolvedValue(new Response('{}', { status: 502 }))
  await retryNow()
  expect(connectionState()).toBe('lost')
  answers.mockResolvedValue(new Response('{}'))
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connectionState()).toBe('restored')
})

it('knows that any answer means the server is there', async () => {
  reportUnreachable()
  reportReachable()
  expect(connectionState()).toBe('restored')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(answers).not.toHaveBeenCalled()
})

it('asks once, however many want to know', async () => {
  reportUnreachable()
  await Promise.all([retryNow(), retryNow(), retryNow()])
  expect(answers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1600)
  expect(answers).toHaveBeenCalledTimes(2)
})

it('tells whoever waits that the server is back, until they wait no more', () => {
  const told = vi.fn()
  const stop = onReconnect(told)
  reportReachable()
  expect(told).not.toHaveBeenCalled()
  reportUnreachable()
  reportReachable()
  expect(told).toHaveBeenCalledTimes(1)
  stop()
  reportUnreachable()
  reportReachable()
  expect(told).toHaveBeenCalledTimes(1)
})
