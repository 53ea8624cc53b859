import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ListedGame } from '../../src/api/model'
import { route } from '../../src/browser/router.svelte'
import { titleMark, updateTurnAlerts } from '../../src/games/turnAlerts.svelte'
import { setMe } from '../../src/session/me.svelte'
import { SynthesizedSounds } from '../../src/ui/sounds'
import { game } from '../support/games'

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
    player: { id: player, name, kind: 'guest' as const, handle: null, rating: null },
  })
  return {
    ...game({ id, ply, seats: { w: seat('ada', 'Ada'), b: seat('kim', 'Kim') } }),
    your_turn: yours,
    deadline: null,
  }
}

let away: boolean

beforeEach(() => {
  told.length = 0
  vi.spyOn(SynthesizedSounds.prototype, 'alert').mockReturnValue()
  away = true
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('focus', () => undefined)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => away)
})
afterEach(() => vi.unstubAllGlobals())

function be(id: string): void {
  const player = { id, name: null, kind: 'guest' as const, handle: null, created: '', login: false, password: false }
  setMe({ mode: 'online', player, ratings: [], settings: null })
}

describe('games that wait for one', () => {
  it('mark the page, and call whoever looks elsewhere once for each turn', () => {
    be('ada')
    expect(titleMark()).toBe('')
    updateTurnAlerts([listed('one', 2, true), listed('two', 1, false)])
    expect(titleMark()).toBe('● ')
    expect(told).toEqual([]) // that was so before
    updateTurnAlerts([listed('one', 2, true), listed('two', 2, true)])
    expect(told.map(({ title, body }) => [title, body])).toEqual([['Your turn', 'Kim has played.']])
    updateTurnAlerts([listed('one', 2, true), listed('two', 2, true)])
    updateTurnAlerts([listed('one', 2, true), listed('two', 3, false)])
    expect(told).toHaveLength(1)
    expect(SynthesizedSounds.prototype.alert).toHaveBeenCalledTimes(1)
    updateTurnAlerts([listed('one', 3, false), listed('two', 4, true)])
    expect(told).toHaveLength(2)
    told[1]?.click()
    expect(route().path).toBe('/game/two')
    updateTurnAlerts([])
    expect(titleMark()).toBe('')
  })

  it('call nobody who sees them', () => {
    be('ada')
    away = false
    updateTurnAlerts([])
    updateTurnAlerts([listed('one', 2, true)])
    expect(told).toEqual([])
  })

  it('are only those with somebody else, and only one’s own', () => {
    be('ada')
    updateTurnAlerts([])
    updateTurnAlerts([{ ...game({ id: 'alone' }), your_turn: true, deadline: null }])
    expect(told).toEqual([])
    expect(titleMark()).toBe('')
    updateTurnAlerts([listed('one', 2, true)])
    be('kim')
    expect(titleMark()).toBe('')
    updateTurnAlerts([listed('two', 3, true)])
    expect(told).toHaveLength(1) // what waited for Kim before is no news
  })
})
