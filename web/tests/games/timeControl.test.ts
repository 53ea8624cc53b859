/** Time controls: as the server writes them, and in words. */
import { describe, expect, it } from 'vitest'

import {
  BANKS,
  hasFreeWeekends,
  incrementWords,
  speedOf,
  timeControlText,
  timeNote,
  timeWords,
} from '../../src/games/timeControl'

const options = { speed: 'days' as const, minutes: 5, seconds: 3, days: 3, bank: '', weekends: false }

describe('a time control', () => {
  it.each([
    [{ ...options, speed: 'live' as const }, '5+3', 'live'],
    [options, '3d', 'days'],
    [{ ...options, weekends: true }, '3d-wd', 'days'],
    [{ ...options, bank: BANKS[0] }, '3d+12h/5d', 'days'],
    [{ ...options, bank: BANKS[1], weekends: true }, '7d+1d/10d-wd', 'days'],
    [{ ...options, speed: 'none' as const }, 'none', 'none'],
  ])('of %o is written %s', (control, text, speed) => {
    expect(timeControlText(control)).toBe(text)
    expect(speedOf(text)).toBe(speed)
    expect(text.length).toBeLessThanOrEqual(16)
  })

  it.each([
    ['5+3', '5 + 3'],
    ['1d', '1 day'],
    ['3d-wd', '3 days · Free weekends'],
    ['3d+12h/5d', '3 days + 12 hr'],
    ['7d+1d/10d-wd', '7 days + 1 day · Free weekends'],
    ['none', 'No clock'],
  ])('%s is said in short as %s', (time, words) => expect(timeWords(time)).toBe(words))

  it('is explained', () => {
    expect(timeNote('7d+1d/10d')).toBe('7 days for all your moves. Every move adds 1 day, up to 10 days.')
    expect(timeNote('3d-wd')).toContain('No time runs on Saturday and Sunday (UTC).')
    expect(timeNote('3d')).not.toContain('Saturday')
    expect(incrementWords('3d')).toBe('')
    expect(hasFreeWeekends('3d')).toBe(false)
  })
})
