import { describe, expect, it } from 'vitest'

import { DEFAULT_OPTIONS, loadOptions, saveOptions, seatsFor } from '../../src/play/newGameOptions'

const noted = (text: string | null): Pick<Storage, 'getItem'> => ({ getItem: () => text })

describe('wishes for a new game', () => {
  it('come back as they were noted', () => {
    let kept = ''
    const names = { w: 'Änne', b: '' }
    const options = { opponent: 'person', level: 7, colour: 'lot', rules: 'basic', names } as const
    saveOptions({ setItem: (_, value) => (kept = value) }, options)
    expect(loadOptions(noted(kept))).toEqual(options)
  })

  it.each([
    null,
    '',
    '{',
    '3',
    'null',
    '{"level":9,"colour":"green","opponent":1,"rules":null}',
    '{"level":2.5}',
    '{"names":{"w":3}}',
    '{"names":[]}',
  ])('are the first ones where the note is %s', (text) => expect(loadOptions(noted(text))).toEqual(DEFAULT_OPTIONS))

  it('survive a browser that keeps nothing', () => {
    const full = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(() => saveOptions(full, DEFAULT_OPTIONS)).not.toThrow()
  })

  it('seat a person and the computer by colour or by lot', () => {
    const engine = { type: 'engine', level: 3 }
    const person = { type: 'person' }
    const wish = { ...DEFAULT_OPTIONS, level: 3 }
    expect(seatsFor({ ...wish, colour: 'w' }, 0.9)).toEqual({ w: person, b: engine })
    expect(seatsFor({ ...wish, colour: 'b' }, 0.1)).toEqual({ w: engine, b: person })
    expect(seatsFor({ ...wish, colour: 'lot' }, 0.1)).toEqual({ w: person, b: engine })
    expect(seatsFor({ ...wish, colour: 'lot' }, 0.5)).toEqual({ w: engine, b: person })
    expect(seatsFor({ ...wish, opponent: 'person', colour: 'b' }, 0.5)).toMatchObject({ w: person, b: person })
  })

  it('name the two at one screen, if they like', () => {
    const names = { w: ' Anna ', b: '  ' }
    expect(seatsFor({ ...DEFAULT_OPTIONS, opponent: 'person', names }, 0)).toEqual({
      w: { type: 'person', name: 'Anna' },
      b: { type: 'person', name: null },
    })
  })
})
