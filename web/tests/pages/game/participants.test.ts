/** Who is at the table with one, and what they wave across. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Colour, Game, You } from '../../../src/api/model'
import { Participants } from '../../../src/pages/game/participants.svelte'

const you = (...seats: Colour[]): You => ({
  seats,
  owner: true,
  may: { undo: false, delete: false, hint: false, offer: true },
  now: '2026-05-01T12:00:00Z',
})
const person = (id: string | null): Game['seats']['w'] => ({
  type: 'person',
  name: null,
  level: null,
  player: id === null ? null : { id, name: id, kind: 'guest', handle: null, rating: null },
})
const engine: Game['seats']['w'] = { type: 'engine', name: null, level: 3, player: null }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('seats', () => {
  it('are all everybody’s at home', () => {
    const home = new Participants(null)
    expect([home.hasSeat('w'), home.hasSeat('b'), home.isSpectator]).toEqual([true, true, false])
    expect(home.isBetweenPeople({ seats: { w: person(null), b: person(null) } })).toBe(false)
  })

  it.each([
    [['w'], true, false, false],
    [['w', 'b'], true, true, false],
    [[], false, false, true],
  ] as const)('%j', (seats, white, black, watching) => {
    const participants = new Participants(you(...seats))
    expect([participants.hasSeat('w'), participants.hasSeat('b'), participants.isSpectator]).toEqual([
      white,
      black,
      watching,
    ])
  })
})

describe('a game is between two people', () => {
  const anna = person('anna')
  const ben = person('ben')

  it.each([
    ['each at their own screen', ['w'], anna, ben, true],
    ['for whoever looks on', [], anna, ben, true],
    ['but not with both at one', ['w', 'b'], anna, anna, false],
    ['nor for whoever looks on there', [], anna, anna, false],
    ['nor against the computer', ['w'], anna, engine, false],
    ['nor between computers', [], engine, engine, false],
  ] as const)('%s', (_, seats, w, b, between) => {
    expect(new Participants(you(...seats)).isBetweenPeople({ seats: { w, b } })).toBe(between)
  })
})

describe('greetings', () => {
  it('fade, each after its own time', () => {
    const participants = new Participants(you('w'))
    participants.showGreeting('b', 'hello')
    vi.advanceTimersByTime(4000)
    participants.showGreeting('w', 'thanks')
    expect(participants.greetings).toMatchObject({ w: { greeting: 'thanks' }, b: { greeting: 'hello' } })
    vi.advanceTimersByTime(2000)
    expect(participants.greetings).toMatchObject({ w: { greeting: 'thanks' }, b: null })
    vi.advanceTimersByTime(4000)
    expect(participants.greetings).toEqual({ w: null, b: null })
  })

  it('said again are new ones, which the first one’s end does not take away', () => {
    const participants = new Participants(you('w'))
    participants.showGreeting('b', 'hello')
    const first = participants.greetings.b
    vi.advanceTimersByTime(5000)
    participants.showGreeting('b', 'hello')
    expect(participants.greetings.b?.number).toBeGreaterThan(first?.number ?? Infinity)
    vi.advanceTimersByTime(1000)
    expect(participants.greetings.b?.greeting).toBe('hello')
    vi.advanceTimersByTime(5000)
    expect(participants.greetings.b).toBeNull()
  })

  it('stay as they are once the table is left', () => {
    const participants = new Participants(you('w'))
    participants.showGreeting('b', 'bye')
    participants.close()
    vi.advanceTimersByTime(60_000)
    expect(participants.greetings.b?.greeting).toBe('bye')
    expect(vi.getTimerCount()).toBe(0)
  })
})
