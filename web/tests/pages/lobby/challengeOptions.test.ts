/** What somebody wants of a game: noted, offered again, and never more than the server takes. */
import { describe, expect, it } from 'vitest'

import {
  challengeOf,
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
      colour: 'b',
      rules: 'basic',
      open: 'link',
      rated: true,
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
    })
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'days' }, false)).toMatchObject({
      colour: null,
      time: '3d',
      listed: true,
    })
    expect(challengeOf({ ...DEFAULT_OPTIONS, speed: 'none' }, false).time).toBe('none')
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
