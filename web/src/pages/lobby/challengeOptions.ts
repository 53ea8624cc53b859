/** The options of a new challenge; those of the last one are stored as the next defaults. */
import type { ChallengeWish } from '../../api/model'
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'
import { BANKS, MAX_MINUTES, MAX_SECONDS, type TimeControl, timeControlText } from '../../games/timeControl'

export interface ChallengeOptions extends TimeControl {
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  open: 'everybody' | 'link'
  rated: boolean
  /** For how many games at once the seat opens again; 0: it is taken once. */
  places: number
}

export const DEFAULT_OPTIONS: ChallengeOptions = {
  speed: 'live',
  minutes: 10,
  seconds: 5,
  days: 3,
  bank: '',
  weekends: false,
  colour: 'lot',
  rules: 'standard',
  open: 'everybody',
  rated: false,
  places: 0,
}

const KEY = 'punct.challenge'
export const DAYS = [1, 3, 7] as const
export const PLACES = [0, 1, 3, 5] as const

/** An entered number, rounded and limited to a range; `fallback` if it is not a number. */
export function within(value: unknown, min: number, max: number, fallback: number): number {
  const number = typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : fallback
  return Math.min(max, Math.max(min, number))
}

/** Load the stored options; a missing or invalid one has its default. */
export function loadOptions(storage: StorageReader): ChallengeOptions {
  const stored = readJson(storage, KEY)
  const choiceOf = <Value>(name: keyof ChallengeOptions, choices: readonly Value[], fallback: Value): Value =>
    choices.find((choice) => choice === stored[name]) ?? fallback
  return {
    speed: choiceOf('speed', ['none', 'live', 'days'], DEFAULT_OPTIONS.speed),
    minutes: within(stored['minutes'], 1, MAX_MINUTES, DEFAULT_OPTIONS.minutes),
    seconds: within(stored['seconds'], 0, MAX_SECONDS, DEFAULT_OPTIONS.seconds),
    days: choiceOf<number>('days', DAYS, DEFAULT_OPTIONS.days),
    bank: choiceOf<string>('bank', BANKS, DEFAULT_OPTIONS.bank),
    weekends: stored['weekends'] === true,
    colour: choiceOf('colour', ['w', 'b', 'lot'], DEFAULT_OPTIONS.colour),
    rules: choiceOf('rules', ['standard', 'basic'], DEFAULT_OPTIONS.rules),
    open: choiceOf('open', ['everybody', 'link'], DEFAULT_OPTIONS.open),
    rated: stored['rated'] === true,
    places: choiceOf<number>('places', PLACES, DEFAULT_OPTIONS.places),
  }
}

export function saveOptions(storage: StorageWriter, options: ChallengeOptions): void {
  writeJson(storage, KEY, options)
}

/** Whether a game with these options can be rated: it needs an account and a time limit. */
export function mayBeRated({ speed }: Pick<ChallengeOptions, 'speed'>, account: boolean): boolean {
  return account && speed !== 'none'
}

/** A challenge to one player, perhaps with other terms than one of theirs. */
export function challengeTo(
  options: ChallengeOptions,
  account: boolean,
  to: string,
  replaces: string | null,
): ChallengeWish {
  return { ...challengeOf(options, account), listed: false, places: null, to, replaces }
}

export function challengeOf(options: ChallengeOptions, account: boolean) {
  const { colour, rules, open, rated, places } = options
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
    places: (options.speed === 'days' && places) || null,
  } satisfies ChallengeWish
}
