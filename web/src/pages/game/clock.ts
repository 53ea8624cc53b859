/** Clocks between two looks at the server: reckoned from its figures, and never more than a picture of them. */
import type { ClockView, Colour } from '../../api/model'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Under this a live player had better hurry. */
export const SHORT = 10 * SECOND

/** The milliseconds a player has left, `now` being the server's time; a clock that has run out stays at nothing. */
export function timeLeft(clock: ClockView, colour: Colour, now: number): number {
  const spent = clock.ticking === colour && clock.at ? Math.max(0, now - Date.parse(clock.at)) : 0
  return Math.max(0, clock[colour] - spent)
}

/** What a clock shows: days and hours, in little room as letters; hours, minutes and seconds; near the end tenths. */
export function clockFace(language: string, left: number, little = false): string {
  if (left >= DAY) {
    const display = little ? 'narrow' : 'short'
    const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
    return [unit(language, 'day', days, display), ...(hours ? [unit(language, 'hour', hours, display)] : [])].join(' ')
  }
  const two = (value: number): string => String(value).padStart(2, '0')
  if (left < SHORT) return `0:${two(Math.floor(left / SECOND))}.${Math.floor((left % SECOND) / 100)}`
  // A second that has begun counts: a clock that shows none has none.
  const seconds = Math.ceil(left / SECOND)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** The same for those who hear it. */
export function clockSpoken(language: string, left: number): string {
  const seconds = Math.ceil(left / SECOND)
  const parts: [Unit, number][] = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ]
  // Nobody counts the seconds of a day.
  const told = parts.filter(([, value]) => value).slice(0, 2)
  return (told.length ? told : parts.slice(-1)).map(([name, value]) => unit(language, name, value, 'long')).join(' ')
}

/** When what a clock shows changes next, in milliseconds. */
export function nextTick(left: number): number {
  if (left >= DAY) return MINUTE
  return left < SHORT ? 100 : left % SECOND || SECOND
}

type Unit = 'day' | 'hour' | 'minute' | 'second'

function unit(language: string, unit: Unit, value: number, unitDisplay: 'narrow' | 'short' | 'long'): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(value)
}
