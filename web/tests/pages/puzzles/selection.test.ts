/** Which puzzle comes next. */
import { describe, expect, it } from 'vitest'
import { beginnerPuzzles, choosePuzzle, targetRating } from '../../../src/pages/puzzles/selection'
import { isAbout, SUBJECTS, moveCountOf } from '../../../src/pages/puzzles/themes'
import { made, many } from './fixtures'

const PUZZLES = many(100)
const NONE = new Set<string>()
/** Chance, in all its moods. */
const MOODS = [0, 0.25, 0.5, 0.999999]

describe('the next puzzle', () => {
  it('is about as hard as wanted', () => {
    for (const wanted of [0, 600, 1000, 1313, 1590, 9999]) {
      const fitting = Math.min(Math.max(wanted, 600), 1590)
      for (const mood of MOODS) {
        const found = choosePuzzle(
          PUZZLES,
          wanted,
          () => 'new',
          NONE,
          () => mood,
        )
        expect(Math.abs((found?.rating ?? 0) - fitting)).toBeLessThanOrEqual(110)
      }
    }
  })

  it('is a new one as long as there is one; then one that was never solved', () => {
    const was = (id: string): 'new' | 'failed' | 'solved' => (id === 'p90' ? 'new' : id === 'p3' ? 'failed' : 'solved')
    expect(choosePuzzle(PUZZLES, 600, ({ id }) => was(id), NONE)?.id).toBe('p90')
    expect(choosePuzzle(PUZZLES, 600, ({ id }) => was(id), new Set(['p90']))?.id).toBe('p3')
    expect(choosePuzzle(PUZZLES, 600, ({ id }) => was(id), new Set(['p90', 'p3', 'p0']))).not.toBeNull()
  })

  it('is a win in one turn for whoever has just begun', () => {
    const mixed = [made('hold', 700, { goal: 'hold' }), made('long', 700, { turns: 2 }), made('win', 900)]
    expect(beginnerPuzzles(mixed, 0).map(({ id }) => id)).toEqual(['win'])
    expect(beginnerPuzzles(mixed, 4).map(({ id }) => id)).toEqual(['win'])
    expect(beginnerPuzzles(mixed, 5)).toEqual(mixed)
  })

  it('is one of all that are about as hard as wanted, not of the nearest alone', () => {
    const alike = Array.from({ length: 50 }, (_, number) => made(`q${number}`, 650))
    const met = Array.from(
      { length: 50 },
      (_, number) =>
        choosePuzzle(
          alike,
          650,
          () => 'new',
          NONE,
          () => (number + 0.5) / 50,
        )?.id,
    )
    expect(new Set(met).size).toBe(50)
  })

  it('is none where none is left', () => {
    expect(choosePuzzle([], 1000, () => 'new', NONE)).toBeNull()
    expect(choosePuzzle(PUZZLES, 1000, () => 'new', new Set(PUZZLES.map(({ id }) => id)))).toBeNull()
  })

  it('is harder after each that was solved', () => {
    expect([0, 1, 2].map(targetRating)).toEqual([650, 690, 730])
  })
})

it('knows what a puzzle is about', () => {
  const held = made('held', 900, { goal: 'hold', themes: ['defence'] })
  const won = made('won', 900, { turns: 2, themes: ['bridge', 'double'] })
  expect(SUBJECTS.filter((subject) => isAbout(held, subject))).toEqual(['defence'])
  expect(SUBJECTS.filter((subject) => isAbout(won, subject))).toEqual(['win-2', 'double', 'bridge'])
  expect([moveCountOf('win-3'), moveCountOf('count')]).toEqual([3, null])
})
