import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { people } from '../../src/api/online'
import { answerWords, habitsOf, loadHabits, timeoutsInShort, timeoutWords } from '../../src/games/habits.svelte'
import { openChapter } from '../../src/i18n/index.svelte'

const HOUR = 3600
const asked: string[][] = []
let answer: (players: readonly string[]) => Promise<unknown>

beforeEach(async () => {
  await openChapter('people')
  vi.useFakeTimers()
  asked.length = 0
  answer = (players) => Promise.resolve(players.map((player) => ({ player, answer: HOUR, correspondence: null })))
  vi.spyOn(people, 'habitsOfPlayers').mockImplementation((players) => {
    asked.push([...players])
    return answer(players) as ReturnType<typeof people.habitsOfPlayers>
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  flushSync()
}

describe('the habits of players', () => {
  it('are asked for at once, and again after some minutes', async () => {
    loadHabits('one')
    loadHabits('two')
    loadHabits('one')
    await settle()
    expect(asked).toEqual([['one', 'two']])
    expect(habitsOf('two')?.answer).toBe(HOUR)
    expect(habitsOf('three')).toBeNull()
    loadHabits('two')
    await settle()
    expect(asked).toHaveLength(1)
    vi.advanceTimersByTime(10 * 60_000)
    loadHabits('two')
    await settle()
    expect(asked.at(-1)).toEqual(['two'])
  })

  it('are asked for in parts, and again after a failure', async () => {
    answer = () => Promise.reject(new Error('offline'))
    for (let number = 0; number < 31; number++) loadHabits(`many-${number}`)
    await settle()
    await settle()
    expect(asked.map((players) => players.length)).toEqual([30, 1])
    expect(habitsOf('many-0')).toBeNull()
    answer = () => Promise.resolve([])
    loadHabits('many-0')
    await settle()
    expect(asked.at(-1)).toEqual(['many-0'])
  })
})

describe('the words', () => {
  it('round up', () => {
    expect(answerWords(0)).toBe('Usually answers within 1 hour')
    expect(answerWords(4.2 * HOUR)).toBe('Usually answers within 5 hours')
    expect(answerWords(36 * HOUR)).toBe('Usually answers within 36 hours')
    expect(answerWords(49 * HOUR)).toBe('Usually answers within 3 days')
  })

  it('count what was lost on time', () => {
    expect(timeoutWords({ finished: 50, timeouts: 2 })).toBe('2 of the last 50 games by days lost on time')
    expect(timeoutsInShort({ finished: 50, timeouts: 2 })).toBe('2 of 50 lost on time')
    expect(timeoutWords({ finished: 7, timeouts: 0 })).toBe('None of the last 7 games by days lost on time')
  })
})
