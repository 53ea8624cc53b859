/** The live connection: a dead line is noticed by its silence, and there is one way back and one line at a time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { connectionState, reportReachable, reportUnreachable } from '../../src/api/connection.svelte'
import { LiveConnection } from '../../src/api/live'
import { FakeSocket } from '../support/fakeSocket'

const PONG = { type: 'pong' }
const health = vi.fn<() => Promise<Response>>()
const listener = { message: vi.fn(), connected: vi.fn() }
let live: LiveConnection<{ type: string }>

/** So many seconds pass, with or without an answer to each ping. */
async function pass(seconds: number, answered = false): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const socket = FakeSocket.last
    const before = socket.sent.length
    await vi.advanceTimersByTimeAsync(1000)
    if (answered && socket.sent.length > before) socket.tell(PONG)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', health)
  health.mockReset().mockRejectedValue(new TypeError('no network'))
  for (const spy of Object.values(listener)) spy.mockClear()
  FakeSocket.all = []
  live = new LiveConnection(() => '/games/a%20game/live', listener)
  FakeSocket.last.open()
})

afterEach(async () => {
  live.close()
  reportReachable()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a line that stands', () => {
  it('is listened to', () => {
    expect(FakeSocket.last.address).toMatch(/^ws:.*\/api\/v1\/games\/a%20game\/live$/)
    expect(listener.connected.mock.calls).toEqual([[true]])
    FakeSocket.last.tell({ type: 'gone' })
    expect(listener.message).toHaveBeenCalledWith({ type: 'gone' })
  })

  it('answers a probe at once, and keeps it to itself', () => {
    FakeSocket.last.tell({ type: 'probe', n: 7, now: '2026-05-01T12:00:00Z' })
    expect(FakeSocket.last.sent).toEqual(['{"type":"probe","n":7}'])
    expect(listener.message).not.toHaveBeenCalled()
  })

  it('is asked for a sign of life, and stays as long as it answers', async () => {
    await pass(120, true)
    expect(FakeSocket.last.sent.length).toBeGreaterThan(120 / 15)
    expect(new Set(FakeSocket.last.sent)).toEqual(new Set(['{"type":"ping"}']))
    expect(FakeSocket.all).toHaveLength(1)
    expect(connectionState()).toBe('online')
  })

  it('stays when only a request got lost, and shows by any word that the server is there', () => {
    reportUnreachable()
    expect(connectionState()).toBe('lost')
    FakeSocket.last.tell(PONG)
    expect(connectionState()).toBe('restored')
    expect(FakeSocket.all).toHaveLength(1)
    expect(listener.connected).toHaveBeenCalledTimes(1)
  })
})

describe('a line that has gone dead without a word', () => {
  // However long after the last word it dies.
  it.each([0, 1, 2, 3, 4, 5, 6])('is noticed within 15 seconds, %d seconds after a beat', async (seconds) => {
    await pass(20 + seconds, true)
    const dead = FakeSocket.last
    dead.tell(PONG)
    await pass(15)
    expect(listener.connected).toHaveBeenLastCalledWith(false)
    expect(connectionState()).toBe('lost')
    expect(dead.readyState).toBe(2)
  })

  it('is noticed while it is still being opened', async () => {
    health.mockResolvedValue(new Response('{}'))
    FakeSocket.last.end()
    await pass(1)
    expect(FakeSocket.all).toHaveLength(2)
    await pass(15)
    expect(FakeSocket.all.length).toBeGreaterThan(2)
  })

  it('says nothing any more once it is given up', async () => {
    const dead = FakeSocket.last
    await pass(15)
    health.mockResolvedValue(new Response('{}'))
    await pass(8)
    FakeSocket.last.open()
    expect(FakeSocket.all).toHaveLength(2)
    listener.connected.mockClear()
    dead.tell({ type: 'gone' })
    dead.end()
    expect(listener.message).not.toHaveBeenCalled()
    expect(listener.connected).not.toHaveBeenCalled()
    expect(FakeSocket.all).toHaveLength(2)
  })
})

describe('a line that broke', () => {
  it('is opened again once, as soon as the server is back', async () => {
    FakeSocket.last.end()
    expect(listener.connected).toHaveBeenLastCalledWith(false)
    await pass(30)
    expect(FakeSocket.all).toHaveLength(1)
    expect(health.mock.calls.length).toBeGreaterThan(2)
    const asked = health.mock.calls.length
    health.mockResolvedValue(new Response('{}'))
    await pass(8)
    expect(health).toHaveBeenCalledTimes(asked + 1)
    expect(FakeSocket.all).toHaveLength(2)
    FakeSocket.last.open()
    expect(listener.connected).toHaveBeenLastCalledWith(true)
    await pass(60, true)
    expect(FakeSocket.all).toHaveLength(2)
    expect(connectionState()).toBe('online')
  })

  it('is opened at once when any request is answered', () => {
    FakeSocket.last.end()
    reportReachable()
    expect(FakeSocket.all).toHaveLength(2)
    reportReachable()
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('is opened less and less often where it breaks again and again', async () => {
    health.mockResolvedValue(new Response('{}'))
    FakeSocket.last.end()
    const breaks: number[] = []
    for (let second = 0; second < 60; second++) {
      const before = FakeSocket.all.length
      await pass(1)
      if (FakeSocket.all.length === before) continue
      breaks.push(second)
      FakeSocket.last.end()
    }
    const waits = breaks.slice(1).map((second, index) => second - (breaks[index] ?? 0))
    expect(waits.length).toBeGreaterThan(3)
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.at(-1)).toBeGreaterThan(6)
  })

  it('stays closed where there is no such game, and when the page has gone elsewhere', async () => {
    FakeSocket.last.end(4404)
    expect(connectionState()).toBe('online')
    reportUnreachable()
    reportReachable()
    expect(FakeSocket.all).toHaveLength(1)
    live = new LiveConnection(() => '/games/another/live', listener)
    live.close()
    reportUnreachable()
    reportReachable()
    await pass(60)
    expect(FakeSocket.all).toHaveLength(2)
  })
})
