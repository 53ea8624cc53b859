/** What somebody wants of a game: noted, offered again, and never more than the server takes. */
import { describe, expect, it } from 'vitest'

import {
  challengeOf,
  challengeTo,
  type ChallengeOptions,
  DEFAULT_OPTIONS,
  loadOptions,
  mayBeRated,
  saveOptions,
  within,
} from '../../../src/pages/lobby/challengeOptions'

const noted = (text: string | null): Pick<Storage, 'getItem'> => ({ getItem: () => text })

describe('wishes', () => {
  it('come back as they were noted', () => {
    let kept = ''
    const options: ChallengeOptions = {
      speed: 'days',
      minutes: 20,
      seconds: 10,
      days: 7,
      bank: '7d+1d/10d',
      weekends: true,
      colour: 'b',
      rules: 'basic',
      open: 'link',
      rated: true,
      places: 3,
    }
    saveOptions({ setItem: (_, value) => (kept = value) }, options)
    expect(loadOptions(noted(kept))).toEqual(options)
  })

  it.each([null, '', '{', '7', '{"speed":"fast","minutes":"5","days":2,"colour":"green","open":1,"rated":"yes"}'])(
    'are the first ones where the note is %s',
    (text) => expect(loadOptions(noted(text))).toEqual(DEFAULT_OPTIONS),
  )

  it('are held to what is possible', () => {
    expect(loadOptions(noted('{"minutes":100000,"seconds":-3}'))).toMatchObject({ minutes: 180, seconds: 0 })
  })
})

describe('a number that was typed', () => {
  it.each([
    [5, 5],
    [4.6, 5],
    [0, 1],
    [999, 180],
    [NaN, 10],
    ['5', 10],
    [undefined, 10],
    [null, 10],
  ])('%s becomes %s', (typed, number) => expect(within(typed, 1, 180, 10)).toBe(number))
})

describe('a challenge', () => {
  it('says what was wished', () => {
    expect(challengeOf({ ...DEFAULT_OPTIONS, minutes: 5, seconds: 3, open: 'link', colour: 'w' }, false)).toEqual({
      rules: 'standard',
      colour: 'w',
      time: '5+3',
      rated: false,
      listed: false,
      places: null,
    })
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'days' }, false)).toMatchObject({
      colour: null,
      time: '3d',
      listed: true,
    })
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'none' }, false).time).toBe('none')
  })
  it('stays open only for games by days', () => {
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'days', places: 3 }, false).places).toBe(3)
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'live', places: 3 }, false).places).toBeNull()
  })
  it('is for one player alone', () => {
    const wish = challengeTo({ ...DEFAULT_OPTIONS, speed: 'days', places: 3 }, true, 'ada', 'c0ffee')
    expect(wish).toMatchObject({ to: 'ada', replaces: 'c0ffee', listed: false, places: null, time: '3d' })
  })

  it('has the time that the server takes, whatever stands in the fields', () => {
    // A number field that is empty has no number in it.
    expect(challengeOf({ ...DEFAULT_OPTIONS, minutes: NaN, seconds: 61 }, false).time).toBe('10+60')
  })

  it.each([
    ['live', true, true],
    ['days', true, true],
    ['none', true, false],
    ['live', false, false],
  ] as const)('%s, with an account: %s; counts: %s', (speed, account, counts) => {
    expect(mayBeRated({ speed }, account)).toBe(counts)
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed, rated: true }, account).rated).toBe(counts)
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed }, account).rated).toBe(false)
  })
})
