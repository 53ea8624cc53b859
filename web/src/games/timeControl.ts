/** Time controls as the server writes them, `5+3` or `3d` or `none`, and in words. */
import { t } from '../i18n/index.svelte'

export type Speed = 'none' | 'live' | 'days'

export interface TimeControl {
  speed: Speed
  /** Minutes for the whole game, and seconds added for each move. */
  minutes: number
  seconds: number
  /** Days for each move. */
  days: number
}

export const PRESETS = ['5+3', '10+5', '20+10'] as const
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

export function timeControlText({ speed, minutes, seconds, days }: TimeControl): string {
  if (speed === 'none') return 'none'
  return speed === 'days' ? `${days}d` : `${minutes}+${seconds}`
}

/** A time control in short, for lists. */
export function timeWords(time: string | null | undefined): string {
  if (!time || time === 'none') return t('time.none')
  if (time.endsWith('d')) return t('time.days', { n: Number.parseInt(time) })
  return time.replace('+', ' + ')
}

/** A time control in a sentence. */
export function timeNote(time: string): string {
  const [minutes = 0, seconds = 0] = time.split('+').map(Number)
  if (speedOf(time) !== 'live') return t(speedOf(time) === 'none' ? 'time.none_note' : 'time.days_note')
  return seconds ? t('time.live_note', { minutes, seconds }) : t('time.live_plain_note', { minutes })
}
