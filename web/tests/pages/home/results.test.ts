/** Results that several have counted. */
import { expect, it } from 'vitest'
import { sumResults } from '../../../src/pages/home/results'

const result = (
  level: number,
  wins: number,
  draws: number,
  losses: number,
  rules: 'standard' | 'basic' = 'standard',
) => ({
  rules,
  level,
  wins,
  draws,
  losses,
})

it('are summed level by level, by the rules that were played', () => {
  expect(sumResults([])).toEqual([])
  expect(
    sumResults(
      [result(2, 1, 0, 3), result(5, 0, 0, 1)],
      [result(2, 0, 1, 0), result(1, 1, 0, 0), result(2, 2, 0, 0, 'basic'), result(2, 1, 0, 0)],
    ),
  ).toEqual([result(1, 1, 0, 0), result(2, 2, 1, 3), result(2, 2, 0, 0, 'basic'), result(5, 0, 0, 1)])
})
