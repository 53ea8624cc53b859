import { describe, expect, it } from 'vitest'

import { placeOf } from '../../src/shell/places'

describe('places', () => {
  it.each([
    ['/', 'home'],
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
  ])('%s is %s', (path, name) => expect(placeOf(path).name).toBe(name))

  it('know a game by its id', () => expect(placeOf('/game/c0ffee-Punct')).toEqual({ name: 'game', id: 'c0ffee-Punct' }))
})
