/** The challenge somebody wants to make; the last wishes are offered again. */
import type { ChallengeWish } from '../net/model'
import { type Reader, readNote, type Writer, writeNote } from '../parts/notes'
import { MOST_MINUTES, MOST_SECONDS, type TimeWish, writeTime } from '../parts/times'

export interface Wishes extends TimeWish {
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  open: 'everybody' | 'link'
  rated: boolean
}

export const FIRST: Wishes = {
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
export function readWishes(storage: Reader): Wishes {
  const noted = readNote(storage, KEY)
  const one = <Value>(name: keyof Wishes, choices: readonly Value[], first: Value): Value =>
    choices.find((choice) => choice === noted[name]) ?? first
  return {
    speed: one('speed', ['none', 'live', 'days'], FIRST.speed),
    minutes: within(noted['minutes'], 1, MOST_MINUTES, FIRST.minutes),
    seconds: within(noted['seconds'], 0, MOST_SECONDS, FIRST.seconds),
    days: one<number>('days', DAYS, FIRST.days),
    colour: one('colour', ['w', 'b', 'lot'], FIRST.colour),
    rules: one('rules', ['standard', 'basic'], FIRST.rules),
    open: one('open', ['everybody', 'link'], FIRST.open),
    rated: noted['rated'] === true,
  }
}

export function writeWishes(storage: Writer, wishes: Wishes): void {
  writeNote(storage, KEY, wishes)
}

/** Whether a game with these wishes can count: somebody without an account has no rating, and time must run. */
export function mayBeRated({ speed }: Pick<Wishes, 'speed'>, account: boolean): boolean {
  return account && speed !== 'none'
}

export function challengeOf(wishes: Wishes, account: boolean): ChallengeWish {
  const { colour, rules, open, rated } = wishes
  return {
    rules,
    colour: colour === 'lot' ? null : colour,
    time: writeTime({
      ...wishes,
      minutes: within(wishes.minutes, 1, MOST_MINUTES, FIRST.minutes),
      seconds: within(wishes.seconds, 0, MOST_SECONDS, FIRST.seconds),
    }),
    rated: rated && mayBeRated(wishes, account),
    listed: open === 'everybody',
  }
}
