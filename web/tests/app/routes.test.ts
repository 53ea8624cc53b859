import { describe, expect, it } from 'vitest'

import { pageFor } from '../../src/app/routes'

describe('places', () => {
  it.each([
    ['/', 'home'],
    ['/learn', 'learn'],
    ['/learn/jump', 'lesson'],
    ['/learn/jump/', 'lesson'],
    ['/puzzles', 'puzzles'],
    ['/puzzles/day', 'puzzle'],
    ['/puzzles/k3v9qa', 'puzzle'],
    ['/puzzles/theme/win-2/', 'puzzle'],
    ['/puzzles/theme/', 'puzzle'],
    ['/puzzles/a/b', 'missing'],
    ['/how-to-play', 'rules'],
    ['/how-to-play/', 'rules'],
    ['/position', 'position'],
    ['/results', 'results'],
    ['/settings', 'settings'],
    ['/about', 'about'],
    ['/nowhere', 'missing'],
    ['/game', 'missing'],
    ['/game/../x', 'missing'],
    ['/toString', 'missing'],
  ])('%s is %s', (path, name) => expect(pageFor(path).name).toBe(name))

  it.each([
    ['/account', 'account'],
    ['/leaderboard', 'leaders'],
    ['/join/c0ffee-Punct', 'join'],
    ['/player/c0ffee_Punct', 'player'],
    ['/admin/adopt', 'adopt'],
    ['/reset', 'reset'],
  ])('%s is %s where people meet, and nothing at home', (path, name) => {
    expect(pageFor(path, true).name).toBe(name)
    expect(pageFor(`${path}/`, true).name).toBe(name)
    expect(pageFor(path).name).toBe('missing')
  })

  it.each(['/join', '/join/', '/join/a/b', '/join/ä', '/player/a.b', '/reset/a/b', '/admin', '/admin/adopt/c'])(
    '%s is nothing anywhere',
    (path) => expect(pageFor(path, true).name).toBe('missing'),
  )

  it('hand on which of many is meant', () => {
    expect(pageFor('/join/c0ffee-Punct', true)).toMatchObject({ id: 'c0ffee-Punct' })
  })

  it('know a game by its id, and who keeps it', () => {
    expect(pageFor('/game/c0ffee-Punct')).toEqual({ name: 'game', id: 'c0ffee-Punct', local: false })
    expect(pageFor('/local/c0ffee')).toEqual({ name: 'game', id: 'c0ffee', local: true })
  })
})
