import { beforeEach, expect, it } from 'vitest'
import type { ListedGame } from '../../src/api/model'
import { setRunningGames, waitingGames } from '../../src/games/waitingGames.svelte'
import { setMe } from '../../src/session/me.svelte'
import { game } from '../support/games'

function listed(id: string, changes: Partial<ListedGame> = {}): ListedGame {
  const seat = (player: string) => ({
    type: 'person' as const,
    name: player,
    level: null,
    player: { id: player, name: player, kind: 'guest' as const, rating: null, handle: null },
  })
  const base = game({ id, seats: { w: seat('ada'), b: seat('kim') } })
  return { ...base, your_turn: true, deadline: null, ...changes }
}

function be(id: string): void {
  const player = { id, name: null, kind: 'guest' as const, created: '', login: false, password: false, handle: null }
  setMe({ mode: 'online', player, ratings: [], settings: null })
}

const ids = (path = '/'): string[] => waitingGames(path).map(({ id }) => id)

beforeEach(() => be('ada'))

it('lists the games that wait, the one whose time runs out first before the others', () => {
  setRunningGames([
    listed('no-clock'),
    listed('later', { deadline: '2026-03-02T00:00:00Z' }),
    listed('sooner', { deadline: '2026-03-01T00:00:00Z' }),
    listed('theirs', { your_turn: false }),
    listed('alone', { seats: game().seats }),
  ])
  expect(ids()).toEqual(['sooner', 'later', 'no-clock'])
})

it('leaves out the game on the screen', () => {
  setRunningGames([listed('one'), listed('two')])
  expect(ids('/game/one')).toEqual(['two'])
})

it('lists nothing of another player', () => {
  setRunningGames([listed('one')])
  be('kim')
  expect(ids()).toEqual([])
})
