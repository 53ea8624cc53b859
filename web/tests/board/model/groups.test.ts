import { expect, it } from 'vitest'
import { groupAt, groupsOf, partsOf } from '../../../src/board/model/groups'
import { stacksOf, type Stacks } from '../../../src/board/model/stacks'
import { kernel } from '../../support/realKernel'
import { SHAPE } from '../../support/positions'

const stacks = async (text: string, ...turns: string[]): Promise<Stacks> => stacksOf(await kernel().view(text, turns))

it('follows a chain of one colour, seen from above', async () => {
  const seen = await stacks('standard w wEd5n wEd8n bTe11n wTl5n')
  expect([...groupAt(SHAPE, seen, 'd5')].sort()).toEqual(['d10', 'd5', 'd6', 'd7', 'd8', 'd9'])
  expect(groupAt(SHAPE, seen, 'a1').size).toBe(0)
  expect(groupsOf(SHAPE, seen, 'w').map((group) => group.size)).toEqual([6, 3])
})

it('tells when a chain falls apart, and when only its end is covered', async () => {
  const before = 'standard b bTb7se wEd5n wEd8n bTe8se wTl5n'
  const whole = await stacks(before)
  const middle = await stacks('standard w bTb7se wEd5n wEd8n bTe8se wTl5n bEd6n')
  expect(partsOf(SHAPE, whole, whole, 'w', 2)).toBe(1)
  expect(partsOf(SHAPE, whole, middle, 'w', 2)).toBe(1)
  expect(partsOf(SHAPE, whole, middle, 'w', 1)).toBe(2)
})
