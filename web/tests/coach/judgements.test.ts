/** Turns are judged as `punct analyse` judges them: over what that one found in real games. */
import { beforeAll, describe, expect, it } from 'vitest'
import scale from '../../../src/punct/analysis/scale.json'
import {
  accuracy,
  badMoves,
  count,
  curveOf,
  type EvaluatedPosition,
  evaluationBefore,
  evaluationOf,
  judgementFor,
  JUDGEMENTS,
  remarkOn,
  reviewOf,
  type ReviewResult,
} from '../../src/coach/judgements'
import { openChapter } from '../../src/i18n/index.svelte'
import { judgementWords } from '../../src/pages/review/words'
import found from '../fixtures/reviews.json'

beforeAll(() => openChapter('coach'))

interface Told {
  readonly looked: readonly EvaluatedPosition[]
  readonly review: ReviewResult
  readonly accuracy: Readonly<Record<'w' | 'b', number | null>>
}
const TOLD = found as unknown as readonly Told[]
const turnsOf = ({ review }: Told): string[] => review.turns.map(({ turn }) => turn)

describe('a review', () => {
  it.each(TOLD.map((told) => [turnsOf(told).length, told] as const))(
    'of %i turns is the library’s, to the last digit',
    (_, told) => {
      expect(reviewOf(turnsOf(told), told.looked)).toEqual(told.review)
      for (const colour of ['w', 'b'] as const) {
        const expected = told.accuracy[colour]
        const own = accuracy(told.review, colour)
        if (expected === null) expect(own).toBeNull()
        else expect(own).toBeCloseTo(expected, 9)
      }
    },
  )

  it('has every judgement there is somewhere in these games', () => {
    const judgements = new Set(TOLD.flatMap(({ review }) => review.turns.map(({ judgement }) => judgement)))
    expect(judgements).toEqual(new Set([null, ...JUDGEMENTS]))
  })

  it('can be had while it is made', () => {
    const told = TOLD[0] as Told
    expect(reviewOf(turnsOf(told), [])).toBeNull()
    const half = reviewOf(turnsOf(told), told.looked.slice(0, 10))
    expect(half?.turns).toEqual(told.review.turns.slice(0, 9))
    expect(curveOf(half as ReviewResult)).toHaveLength(10)
  })

  it('counts what it found, of each player', () => {
    for (const { review } of TOLD) {
      const all = JUDGEMENTS.flatMap((judgement) => [count(review, 'w', judgement), count(review, 'b', judgement)])
      expect(all.reduce((sum, n) => sum + n, 0)).toBe(badMoves(review).length)
      expect(badMoves(review, 'w').length + badMoves(review, 'b').length).toBe(badMoves(review).length)
    }
  })
})

describe('a judgement', () => {
  it('is called the same in the page and by `punct analyse`', () => {
    for (const judgement of JUDGEMENTS) {
      const [named, called] = [judgementWords(judgement), scale.judgements[judgement].word]
      expect(named.toLowerCase()).toBe(called)
    }
  })
})

describe('a try', () => {
  it('is judged from what is kept as it was from the search itself', () => {
    for (const { looked, review } of TOLD) {
      for (const remark of review.turns) {
        const [before, after] = [looked[remark.ply], looked[remark.ply + 1]] as [EvaluatedPosition, EvaluatedPosition]
        const kept = evaluationBefore(review, remark.ply)
        expect(Math.sign(kept.proven)).toBe(Math.sign(evaluationOf(before).proven))
        const again = remarkOn(kept, remark.ply, remark.colour, remark.turn, after)
        expect(again.judgement).toBe(remark.judgement)
        expect(again.given_away).toBeCloseTo(remark.given_away, 12)
      }
    }
  })

  it('that gives nothing away is not complained about', () => {
    expect(judgementFor(0)).toBeNull()
    expect(judgementFor(0.0799)).toBeNull()
    expect(judgementFor(0.08)).toBe('inaccuracy')
    expect(judgementFor(1)).toBe('blunder')
  })
})
