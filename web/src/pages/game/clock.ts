/** Clocks between two updates: computed from the server's, and never more than a picture of them. */
import type { ClockView, Colour } from '../../api/model'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Under this a live player had better hurry. */
export const SHORT_MS = 10 * SECOND

/** The milliseconds a player has left, `now` being the server's time; never less than 0. */
export function timeLeft(clock: ClockView, colour: Colour, now: number, freeWeekends = false): number {
  if (clock.ticking !== colour || !clock.at) return Math.max(0, clock[colour])
  const since = Date.parse(clock.at)
  const spent = freeWeekends ? working(now) - working(since) : now - since
  return Math.max(0, clock[colour] - Math.max(0, spent))
}

/** The first Monday since 1970. */
const FIRST_MONDAY = 4 * DAY

/** The milliseconds of all Mondays to Fridays before a time, in UTC: as the server counts them. */
function working(time: number): number {
  const weeks = Math.floor((time - FIRST_MONDAY) / (7 * DAY))
  return weeks * 5 * DAY + Math.min(time - FIRST_MONDAY - weeks * 7 * DAY, 5 * DAY)
}

/** The text of a clock: days and hours, abbreviated if `compact`; hours, minutes and seconds; near the end tenths. */
export function clockFace(language: string, remaining: number, compact = false): string {
  if (remaining >= DAY) {
    const display = compact ? 'narrow' : 'short'
    const [days, hours] = [Math.floor(remaining / DAY), Math.floor((remaining % DAY) / HOUR)]
    return [unit(language, 'day', days, display), ...(hours ? [unit(language, 'hour', hours, display)] : [])].join(' ')
  }
  const twoDigits = (value: number): string => String(value).padStart(2, '0')
  if (remaining < SHORT_MS)
    return `0:${twoDigits(Math.floor(remaining / SECOND))}.${Math.floor((remaining % SECOND) / 100)}`
  // A second that has begun counts: a clock that shows 0 has run out.
  const seconds = Math.ceil(remaining / SECOND)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`
}

/** The text of a clock for screen readers. */
export function clockWords(language: string, remaining: number): string {
  const seconds = Math.ceil(remaining / SECOND)
  const parts: [Unit, number][] = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ]
  // Nobody counts the seconds of a day.
  const largest = parts.filter(([, value]) => value).slice(0, 2)
  return (largest.length ? largest : parts.slice(-1))
    .map(([name, value]) => unit(language, name, value, 'long'))
    .join(' ')
}

/** When the text of a clock changes next, in milliseconds. */
export function nextTick(remaining: number): number {
  if (remaining >= DAY) return MINUTE
  return remaining < SHORT_MS ? 100 : remaining % SECOND || SECOND
}

type Unit = 'day' | 'hour' | 'minute' | 'second'

function unit(language: string, unit: Unit, value: number, unitDisplay: 'narrow' | 'short' | 'long'): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(value)
}
