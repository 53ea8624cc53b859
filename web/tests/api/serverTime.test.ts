/** What time it is at the server, from what its answers say. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const HERE = Date.parse('2026-05-01T12:00:00Z')
const SECOND = 1000
let updateServerTime: (date: string | null, within: number, asked: number, heard: number) => void
let serverNow: () => number

beforeEach(async () => {
  vi.useFakeTimers({ now: HERE })
  vi.resetModules()
  ;({ updateServerTime, serverNow } = await import('../../src/api/serverTime'))
})
afterEach(() => vi.useRealTimers())

/** An answer made at this time of the server's, on a way of so many milliseconds there and back. */
function answer(server: number, way: number): void {
  const second = Math.floor(server / SECOND) * SECOND
  updateServerTime(new Date(second).toUTCString(), SECOND, Date.now() - way / 2, Date.now() + way / 2)
}

it('is ours until something else is known, and as long as ours may be right', () => {
  expect(serverNow()).toBe(HERE)
  answer(HERE + 300, 40)
  expect(serverNow()).toBe(HERE)
  updateServerTime(null, SECOND, HERE, HERE)
  updateServerTime('nonsense', SECOND, HERE, HERE)
  expect(serverNow()).toBe(HERE)
})

it('becomes ever more exact, by when its seconds begin', () => {
  const ahead = 4321
  for (let times = 0; times < 12; times++) {
    answer(Date.now() + ahead, 30)
    vi.advanceTimersByTime(370)
  }
  expect(Math.abs(serverNow() - Date.now() - ahead)).toBeLessThan(120)
})

it('is learnt anew when a clock was set', () => {
  answer(HERE + 60 * SECOND, 20)
  expect(serverNow() - HERE).toBeGreaterThan(58 * SECOND)
  answer(HERE - 60 * SECOND, 20)
  expect(serverNow() - HERE).toBeLessThan(-58 * SECOND)
})

it('counts on from what is known, as our own clock does', () => {
  updateServerTime(new Date(HERE + 7654).toISOString(), 0, HERE, HERE)
  vi.advanceTimersByTime(5000)
  expect(serverNow()).toBe(HERE + 12654)
})

it('is never learnt less exactly than it is known', () => {
  updateServerTime(new Date(HERE + 7654).toISOString(), 0, HERE - 10, HERE + 10)
  answer(HERE + 7654, 800) // a slow way, and a whole second of doubt
  expect(serverNow()).toBe(HERE + 7654)
})

it('is exact where an answer tells the moment', () => {
  updateServerTime(new Date(HERE + 7654).toISOString(), 0, HERE - 10, HERE + 10)
  expect(serverNow()).toBe(HERE + 7654)
})
