/** The challenge somebody wants to make; the last wishes are offered again. */
import type { ChallengeWish } from '../../api/model'
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'
import { MAX_MINUTES, MAX_SECONDS, type TimeControl, timeControlText } from '../../games/timeControl'

export interface ChallengeOptions extends TimeControl {
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  open: 'everybody' | 'link'
  rated: boolean
}

export const DEFAULT_OPTIONS: ChallengeOptions = {
  speed: 'live',
  minutes: 10,
  seconds: 5,
  days: 3,
  colour: 'lot',
  rules: 'standard',
  open: 'everybody',
  rated: false,
}

const KEY = 'punct.challenge'
export const DAYS = [1, 3, 7] as const

/** A whole number between two others, whatever somebody typed. */
export function within(value: unknown, least: number, most: number, otherwise: number): number {
  const number = typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : otherwise
  return Math.min(most, Math.max(least, number))
}

/** The wishes noted last; what is missing or broken is as the first time. */
export function loadOptions(storage: StorageReader): ChallengeOptions {
  const stored = readJson(storage, KEY)
  const one = <Value>(name: keyof ChallengeOptions, choices: readonly Value[], first: Value): Value =>
    choices.find((choice) => choice === stored[name]) ?? first
  return {
    speed: one('speed', ['none', 'live', 'days'], DEFAULT_OPTIONS.speed),
    minutes: within(stored['minutes'], 1, MAX_MINUTES, DEFAULT_OPTIONS.minutes),
    seconds: within(stored['seconds'], 0, MAX_SECONDS, DEFAULT_OPTIONS.seconds),
    days: one<number>('days', DAYS, DEFAULT_OPTIONS.days),
    colour: one('colour', ['w', 'b', 'lot'], DEFAULT_OPTIONS.colour),
    rules: one('rules', ['standard', 'basic'], DEFAULT_OPTIONS.rules),
    open: one('open', ['everybody', 'link'], DEFAULT_OPTIONS.open),
    rated: stored['rated'] === true,
  }
}

export function saveOptions(storage: StorageWriter, options: ChallengeOptions): void {
  writeJson(storage, KEY, options)
}

/** Whether a game with these wishes can count: somebody without an account has no rating, and time must run. */
export function mayBeRated({ speed }: Pick<ChallengeOptions, 'speed'>, account: boolean): boolean {
  return account && speed !== 'none'
}

export function challengeOf(options: ChallengeOptions, account: boolean): ChallengeWish {
  const { colour, rules, open, rated } = options
  return {
    rules,
    colour: colour === 'lot' ? null : colour,
    time: timeControlText({
      ...options,
      minutes: within(options.minutes, 1, MAX_MINUTES, DEFAULT_OPTIONS.minutes),
      seconds: within(options.seconds, 0, MAX_SECONDS, DEFAULT_OPTIONS.seconds),
    }),
    rated: rated && mayBeRated(options, account),
    listed: open === 'everybody',
  }
}
