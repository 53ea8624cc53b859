/** What counts of the games in this browser: what the server would count, were it to have them. */
import { describe, expect, it } from 'vitest'
import { resultsOf } from '../../src/local/results'
import type { Outcome, SavedGame } from '../../src/local/savedGame'
import { ENGINE, kept } from './tabs'

const PERSON = kept().seats.w
const ended = (winner: Outcome['winner'], changes: Partial<SavedGame> = {}): SavedGame =>
  kept({ seats: { w: PERSON, b: ENGINE }, outcome: { winner, reason: 'connection' }, ...changes })

describe('a game in this browser', () => {
  it('is won, drawn or lost by the person, whichever colour that has', () => {
    const counts = { rules: 'standard', level: 1, wins: 0, draws: 0, losses: 0 }
    expect(resultsOf([ended('w')])).toEqual([{ ...counts, wins: 1 }])
    expect(resultsOf([ended(null)])).toEqual([{ ...counts, draws: 1 }])
    expect(resultsOf([ended('b')])).toEqual([{ ...counts, losses: 1 }])
    expect(resultsOf([ended('b', { seats: { w: { ...ENGINE, level: 7 }, b: PERSON } })])).toEqual([
      { ...counts, level: 7, wins: 1 },
    ])
    expect(resultsOf([ended('w', { start: 'basic w' })])).toEqual([{ ...counts, rules: 'basic', wins: 1 }])
  })

  it('does not count while it runs, without the computer, or if its board was not empty', () => {
    const games = [
      kept({ seats: { w: PERSON, b: ENGINE } }),
      ended('w', { seats: { w: PERSON, b: PERSON } }),
      ended('w', { seats: { w: ENGINE, b: ENGINE } }),
      ended('w', { start: 'standard b wEd5ne' }),
      ended('w', { start: 'standard b' }),
    ]
    expect(resultsOf(games)).toEqual([])
  })
})
