/** The computer's reply waits until the player's own turn has been seen. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Game } from '../../../src/api/model'
import { OWN_MOVE_MS, ReplyDelay } from '../../../src/pages/game/replyDelay'
import { game, PLAYED, REPLIED } from '../../support/games'

let shown: Game[]
let still: boolean
let pace: ReplyDelay

beforeEach(() => {
  vi.useFakeTimers()
  shown = []
  still = false
  pace = new ReplyDelay(
    (news) => shown.push(news),
    () => still,
  )
})
afterEach(() => {
  pace.close()
  vi.useRealTimers()
})

describe('a reply', () => {
  it('waits until the turn before it has been looked at', () => {
    pace.startDelay()
    vi.advanceTimersByTime(100)
    expect(pace.delay(REPLIED, PLAYED)).toBe(true)
    vi.advanceTimersByTime(OWN_MOVE_MS - 101)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([REPLIED])
  })

  it('that took its time does not wait', () => {
    pace.startDelay()
    vi.advanceTimersByTime(OWN_MOVE_MS)
    expect(pace.delay(REPLIED, PLAYED)).toBe(false)
  })

  it('does not wait where motion is unwanted', () => {
    still = true
    pace.startDelay()
    expect(pace.delay(REPLIED, PLAYED)).toBe(false)
  })

  it('that overtakes the answer to the turn waits for the answer first', () => {
    pace.startSending()
    expect(pace.delay(PLAYED, game())).toBe(false)
    expect(pace.delay(REPLIED, game())).toBe(true)
    vi.advanceTimersByTime(5 * OWN_MOVE_MS)
    expect(shown).toEqual([])
    pace.startDelay()
    pace.endSending()
    vi.advanceTimersByTime(OWN_MOVE_MS - 1)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([REPLIED])
  })

  it('waits too when the turn itself was told before its answer came', () => {
    pace.startSending()
    pace.startDelay()
    expect(pace.delay(REPLIED, PLAYED)).toBe(true)
    pace.endSending()
    vi.advanceTimersByTime(OWN_MOVE_MS - 1)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([REPLIED])
  })

  it('is shown although the answer to the turn got lost', () => {
    pace.startSending()
    pace.delay(REPLIED, game())
    pace.endSending()
    vi.advanceTimersByTime(0)
    expect(shown).toEqual([REPLIED])
  })

  it('is shown at once when the player wants something else, and only once', () => {
    pace.startDelay()
    pace.delay(REPLIED, PLAYED)
    pace.flush()
    vi.advanceTimersByTime(5 * OWN_MOVE_MS)
    expect(shown).toEqual([REPLIED])
  })

  it('gives way to newer news', () => {
    pace.startDelay()
    pace.delay(REPLIED, PLAYED)
    const back = game({ revision: 4 })
    expect(pace.delay(back, PLAYED)).toBe(false)
    vi.advanceTimersByTime(5 * OWN_MOVE_MS)
    expect(shown).toEqual([])
  })
})

it('a turn of a person never waits', () => {
  pace.startDelay()
  const person = { type: 'person' as const, name: null, level: null, player: null }
  expect(pace.delay({ ...REPLIED, seats: { w: person, b: person } }, PLAYED)).toBe(false)
})
