import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ListedGame } from '../../src/net/model'
import { hearYours, mark } from '../../src/parts/calls.svelte'
import { takeMe } from '../../src/parts/me.svelte'
import { place } from '../../src/parts/router.svelte'
import { SynthesizedSounds } from '../../src/parts/sounds'
import { game } from '../games'

const told: { title: string; body: string | undefined; click: () => void }[] = []

class FakeNotification {
  static permission = 'granted'
  onclick: () => void = () => undefined
  constructor(title: string, { body }: { body?: string }) {
    told.push({ title, body, click: () => this.onclick() })
  }
  close = (): void => undefined
}

function listed(id: string, ply: number, yours: boolean): ListedGame {
  const seat = (player: string, name: string) => ({
    type: 'person' as const,
    name,
    level: null,
    player: { id: player, name, kind: 'guest' as const, rating: null },
  })
  return { ...game({ id, ply, seats: { w: seat('ada', 'Ada'), b: seat('kim', 'Kim') } }), your_turn: yours }
}

let away: boolean

beforeEach(() => {
  told.length = 0
  vi.spyOn(SynthesizedSounds.prototype, 'call').mockReturnValue()
  away = true
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('focus', () => undefined)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => away)
})
afterEach(() => vi.unstubAllGlobals())

function be(id: string): void {
  const player = { id, name: null, kind: 'guest' as const, created: '', login: false, password: false }
  takeMe({ mode: 'online', player, ratings: [], settings: null })
}

describe('games that wait for one', () => {
  it('mark the page, and call whoever looks elsewhere once for each turn', () => {
    be('ada')
    expect(mark()).toBe('')
    hearYours([listed('one', 2, true), listed('two', 1, false)])
    expect(mark()).toBe('● ')
    expect(told).toEqual([]) // that was so before
    hearYours([listed('one', 2, true), listed('two', 2, true)])
    expect(told.map(({ title, body }) => [title, body])).toEqual([['Your turn', 'Kim has played.']])
    hearYours([listed('one', 2, true), listed('two', 2, true)])
    hearYours([listed('one', 2, true), listed('two', 3, false)])
    expect(told).toHaveLength(1)
    expect(SynthesizedSounds.prototype.call).toHaveBeenCalledTimes(1)
    hearYours([listed('one', 3, false), listed('two', 4, true)])
    expect(told).toHaveLength(2)
    told[1]?.click()
    expect(place().path).toBe('/game/two')
    hearYours([])
    expect(mark()).toBe('')
  })

  it('call nobody who sees them', () => {
    be('ada')
    away = false
    hearYours([])
    hearYours([listed('one', 2, true)])
    expect(told).toEqual([])
  })

  it('are only those with somebody else, and only one’s own', () => {
    be('ada')
    hearYours([])
    hearYours([{ ...game({ id: 'alone' }), your_turn: true }])
    expect(told).toEqual([])
    expect(mark()).toBe('')
    hearYours([listed('one', 2, true)])
    be('kim')
    expect(mark()).toBe('')
    hearYours([listed('two', 3, true)])
    expect(told).toHaveLength(1) // what waited for Kim before is no news
  })
})
