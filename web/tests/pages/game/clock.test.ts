/** Clocks as they are shown between two looks at the server. */
import { describe, expect, it } from 'vitest'

import type { ClockView } from '../../../src/api/model'
import { clockFace, clockWords, nextTick, timeLeft } from '../../../src/pages/game/clock'

const AT = '2026-05-01T12:00:00Z'
const NOW = Date.parse(AT)
const clock = (changes: Partial<ClockView> = {}): ClockView => ({
  w: 60_000,
  b: 90_000,
  ticking: 'w',
  at: AT,
  deadline: null,
  ...changes,
})

describe('the time left', () => {
  it('runs for whoever is to move, and stands for the other', () => {
    expect(timeLeft(clock(), 'w', NOW + 12_345)).toBe(47_655)
    expect(timeLeft(clock(), 'b', NOW + 12_345)).toBe(90_000)
    expect(timeLeft(clock({ ticking: null, at: null }), 'w', NOW + 12_345)).toBe(60_000)
  })

  it('is never more than the server said, nor less than nothing', () => {
    expect(timeLeft(clock(), 'w', NOW - 5000)).toBe(60_000)
    expect(timeLeft(clock(), 'w', NOW + 500_000)).toBe(0)
  })
})

describe('a face', () => {
  it.each([
    [0, '0:00.0'],
    [9_940, '0:09.9'],
    [10_000, '0:10'],
    [10_001, '0:11'],
    [299_500, '5:00'],
    [3_600_000, '1:00:00'],
    [86_399_000, '23:59:59'],
    [2 * 86_400_000 + 3 * 3_600_000, '2 days 3 hr'],
  ])('%i ms is %s', (left, face) => expect(clockFace('en', left)).toBe(face))

  it('has no empty hours, and letters where there is little room', () => {
    expect(clockFace('en', 3 * 86_400_000)).toBe('3 days')
    expect(clockFace('en', 3 * 86_400_000, true)).toBe('3d')
    expect(clockFace('fr', 2 * 86_400_000 + 23 * 3_600_000, true)).toBe('2j 23h')
    expect(clockFace('en', 299_500, true)).toBe('5:00')
  })

  it('is said in two parts', () => {
    expect(clockWords('en', 0)).toBe('0 seconds')
    expect(clockWords('en', 65_000)).toBe('1 minute 5 seconds')
    expect(clockWords('de', 86_400_000 + 7_200_000)).toBe('1 Tag 2 Stunden')
  })

  it('changes no more often than it must', () => {
    expect(nextTick(3 * 86_400_000)).toBe(60_000)
    expect(nextTick(30_250)).toBe(250)
    expect(nextTick(30_000)).toBe(1000)
    expect(nextTick(4_000)).toBe(100)
  })
})

describe('a free weekend', () => {
  /** 2026-05-01 is a Friday. */
  const days = clock({ w: 3 * 86_400_000 })
  const at = (when: string): number => timeLeft(days, 'w', Date.parse(when), true)

  it('takes no time', () => {
    expect(at('2026-05-02T00:00:00Z')).toBe(2.5 * 86_400_000)
    expect(at('2026-05-03T18:00:00Z')).toBe(2.5 * 86_400_000)
    expect(at('2026-05-04T12:00:00Z')).toBe(2 * 86_400_000)
    expect(at('2026-05-06T12:00:00Z')).toBe(0)
    expect(timeLeft(days, 'w', Date.parse('2026-05-03T18:00:00Z'))).toBe(0.75 * 86_400_000)
  })
})
