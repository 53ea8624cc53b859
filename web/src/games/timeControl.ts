/** Time controls as the server writes them, `5+3`, `3d`, `7d+12h/10d`, `3d-wd` or `none`, and in words. */
import { language, t } from '../i18n/index.svelte'

export type Speed = 'none' | 'live' | 'days'

export interface TimeControl {
  speed: Speed
  /** Minutes for the whole game, and seconds added for each move. */
  minutes: number
  seconds: number
  /** Days for each move. */
  days: number
  /** A bank of days for all moves instead, such as `7d+12h/10d`; empty for none. */
  bank: string
  /** Whether no time of days runs at weekends. */
  weekends: boolean
}

export const PRESETS = ['5+3', '10+5', '20+10'] as const
/** Banks of days: at the start, what each move adds, and the most there may be. */
export const BANKS = ['3d+12h/5d', '7d+1d/10d', '14d+1d/21d'] as const
export const MAX_MINUTES = 180
export const MAX_SECONDS = 60

export function speedOf(time: string | null | undefined): Speed {
  if (!time || time === 'none') return 'none'
  return time.endsWith('d') ? 'days' : 'live'
}

/** The rating pool that a game counts for. */
export function poolOf(rules: string, time: string | null | undefined): string {
  return `${rules}-${speedOf(time)}`
}

export function timeControlText({ speed, minutes, seconds, days, bank, weekends }: TimeControl): string {
  if (speed === 'none') return 'none'
  return speed === 'days' ? `${bank || `${days}d`}${weekends ? FREE_WEEKENDS : ''}` : `${minutes}+${seconds}`
}

const FREE_WEEKENDS = '-wd'
const DAYS_PATTERN = /^(\d+)d(?:\+(\d+)([hd])\/(\d+)d)?(?:-wd)?$/

/** What a move adds to a bank of days, in short words; empty without a bank. */
export function incrementWords(time: string | null | undefined): string {
  const [, , n, unit] = DAYS_PATTERN.exec(time ?? '') ?? []
  return n ? unitWords(Number(n), unit === 'h' ? 'hour' : 'day') : ''
}

/** Whether no time runs at weekends. */
export function hasFreeWeekends(time: string | null | undefined): boolean {
  return !!time?.endsWith(FREE_WEEKENDS)
}

function unitWords(value: number, unit: 'day' | 'hour'): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}

/** A time control in short, for lists. */
export function timeWords(time: string | null | undefined): string {
  if (!time || time === 'none') return t('time.none')
  if (speedOf(time) === 'live') return time.replace('+', ' + ')
  const more = incrementWords(time)
  const days = t('time.days', { n: Number.parseInt(time) }) + (more ? ` + ${more}` : '')
  return hasFreeWeekends(time) ? `${days} · ${t('time.weekends')}` : days
}

/** A time control in a sentence. */
export function timeNote(time: string): string {
  if (speedOf(time) === 'none') return t('time.none_note')
  if (speedOf(time) === 'days') return daysNote(time)
  const [minutes = 0, seconds = 0] = time.split('+').map(Number)
  return seconds ? t('time.live_note', { minutes, seconds }) : t('time.live_plain_note', { minutes })
}

function daysNote(time: string): string {
  const [, days, , , cap] = DAYS_PATTERN.exec(time) ?? []
  const note = cap
    ? t('time.bank_note', {
        days: t('time.days', { n: Number(days) }),
        more: incrementWords(time),
        cap: t('time.days', { n: Number(cap) }),
      })
    : t('time.days_note')
  return hasFreeWeekends(time) ? `${note} ${t('time.weekends_note')}` : note
}
