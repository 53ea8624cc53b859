/** How soon players answer: asked for once for all that are shown, and again after some minutes. */
import type { AnswerHabits } from '../api/model'
import { people } from '../api/online'
import { type MessageKey, t } from '../i18n/index.svelte'

/** As many as the server answers at once. */
const MAX_PLAYERS = 30
const FRESH_MS = 10 * 60_000

let known: ReadonlyMap<string, AnswerHabits> = $state.raw(new Map())
const askedAt = new Map<string, number>()
let waiting = new Set<string>()

/** What is known of a player; null if nothing is, or not yet. */
export function habitsOf(player: string): AnswerHabits | null {
  return known.get(player) ?? null
}

/** Ask for a player's habits, together with those of others that are shown at the same time. */
export function loadHabits(player: string): void {
  if (Date.now() - (askedAt.get(player) ?? -FRESH_MS) < FRESH_MS) return
  askedAt.set(player, Date.now())
  if (!waiting.size) queueMicrotask(() => void loadWaiting())
  waiting.add(player)
}

async function loadWaiting(): Promise<void> {
  const players = [...waiting]
  waiting = new Set()
  for (let first = 0; first < players.length; first += MAX_PLAYERS) {
    const some = players.slice(first, first + MAX_PLAYERS)
    try {
      const loaded = await people.habitsOfPlayers(some)
      known = new Map([...known, ...loaded.map((habits) => [habits.player, habits] as const)])
    } catch {
      for (const player of some) askedAt.delete(player) // asked for again when they are shown again
    }
  }
}

const [HOUR, DAY] = [3600, 24 * 3600]

/** The time within which somebody usually answers, in words; rounded up. */
export function answerWords(seconds: number): string {
  const [unit, size]: [MessageKey, number] =
    seconds <= 36 * HOUR ? ['people.answers_hours', HOUR] : ['people.answers_days', DAY]
  return t(unit, { n: Math.max(1, Math.ceil(seconds / size)) })
}

/** How many of the last games were lost on time, in words. */
export function timeoutWords({ finished, timeouts }: NonNullable<AnswerHabits['correspondence']>): string {
  return timeouts ? t('people.timeouts', { n: timeouts, all: finished }) : t('people.no_timeouts', { n: finished })
}

/** The same for a line among others. */
export function timeoutsInShort({ finished, timeouts }: NonNullable<AnswerHabits['correspondence']>): string {
  return t('people.timeouts_short', { n: timeouts, all: finished })
}
