/** What the pages are made of, without a document: wishes, links, places, dates. */
import { describe, expect, it } from 'vitest'
import { ago } from '../src/app/dates'
import { isPosition, positionPath } from '../src/app/links'
import { FIRST, readWishes, seatsFor, writeWishes } from '../src/app/newgame'
import { placeOf } from '../src/app/places'

const noted = (text: string | null): Pick<Storage, 'getItem'> => ({ getItem: () => text })

describe('wishes for a new game', () => {
  it('come back as they were noted', () => {
    let kept = ''
    const wishes = { opponent: 'person', level: 7, colour: 'lot', rules: 'basic' } as const
    writeWishes({ setItem: (_, value) => (kept = value) }, wishes)
    expect(readWishes(noted(kept))).toEqual(wishes)
  })

  it.each([null, '', '{', '3', 'null', '{"level":9,"colour":"green","opponent":1,"rules":null}', '{"level":2.5}'])(
    'are the first ones where the note is %s',
    (text) => expect(readWishes(noted(text))).toEqual(FIRST),
  )

  it('survive a browser that keeps nothing', () => {
    const full = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(() => writeWishes(full, FIRST)).not.toThrow()
  })

  it('seat a person and the computer by colour or by lot', () => {
    const engine = { type: 'engine', level: 3 }
    const person = { type: 'person' }
    const wish = { ...FIRST, level: 3 }
    expect(seatsFor({ ...wish, colour: 'w' }, 0.9)).toEqual({ w: person, b: engine })
    expect(seatsFor({ ...wish, colour: 'b' }, 0.1)).toEqual({ w: engine, b: person })
    expect(seatsFor({ ...wish, colour: 'lot' }, 0.1)).toEqual({ w: person, b: engine })
    expect(seatsFor({ ...wish, colour: 'lot' }, 0.5)).toEqual({ w: engine, b: person })
    expect(seatsFor({ ...wish, opponent: 'person', colour: 'b' }, 0.5)).toEqual({ w: person, b: person })
  })
})

describe('texts to take in', () => {
  it.each(['standard w', ' basic b wTd5n\n', 'standard b wTc2n bEe3sw wRi6sw'])('know a position: %s', (text) => {
    expect(isPosition(text)).toBe(true)
  })

  it.each(['', 'Td5n Tk5n', '[Rules "standard"]\nTd5n', 'standard', '(;GM[1])', 'standard w 1. Td5n'])(
    'leave everything else to be a record: %s',
    (text) => expect(isPosition(text)).toBe(false),
  )

  it('make links that read back', () => {
    const text = 'standard w wTc2n bEe3sw'
    expect(new URL(positionPath(text), 'http://localhost').searchParams.get('text')).toBe(text)
  })
})

describe('places', () => {
  it.each([
    ['/', 'home'],
    ['/how-to-play', 'rules'],
    ['/how-to-play/', 'rules'],
    ['/position', 'position'],
    ['/settings', 'settings'],
    ['/about', 'about'],
    ['/nowhere', 'missing'],
    ['/game', 'missing'],
    ['/game/../x', 'missing'],
    ['/toString', 'missing'],
  ])('%s is %s', (path, name) => expect(placeOf(path).name).toBe(name))

  it('know a game by its id', () => expect(placeOf('/game/c0ffee-Punct')).toEqual({ name: 'game', id: 'c0ffee-Punct' }))
})

it('says how long ago something was', () => {
  const now = Date.parse('2026-01-10T12:00:00Z')
  expect(ago('en', '2026-01-10T11:59:50Z', now)).toBe('now')
  expect(ago('en', '2026-01-10T11:58:00Z', now)).toBe('2 minutes ago')
  expect(ago('de', '2026-01-09T11:00:00Z', now)).toBe('gestern')
  expect(ago('pl', '2026-01-10T07:00:00Z', now)).toBe('5 godzin temu')
  // A clock that runs behind the server's does not see the future.
  expect(ago('en', '2026-01-10T12:00:30Z', now)).toBe('now')
})
