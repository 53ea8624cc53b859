/** What a goal asks for, read from the kernel's views. */
import { expect, it } from 'vitest'
import { Shape } from '../../../src/board/model/shape'
import { type Goal, isGoalReached } from '../../../src/pages/lessons/goals'
import board from '../../fixtures/board.json'
import { kernel } from '../../support/realKernel'

const SHAPE = new Shape(board as never)
const JUMPING = 'standard w wTi9n wEi6nw bEk11se bTg8n'
const CHAIN = 'standard w wTi9n wTi4n bEg11se bEj11se'
const WINNING = 'standard w wEa5ne wEd8ne wEg11ne wEj13se wTm13n wTp13se bTe5n'

async function holds(goal: Goal, start: string, ...turns: readonly string[]): Promise<boolean> {
  const view = await kernel().view(start, turns)
  return isGoalReached(goal, { shape: SHAPE, view, player: 'w', refused: [], turns: Math.ceil(turns.length / 2) })
}

it.each<[string, Goal, boolean, string, readonly string[]]>([
  ['a manner', { manner: ['jump'] }, true, JUMPING, ['i6-i9nw']],
  ['another manner', { manner: ['add', 'move'] }, false, JUMPING, ['i6-i9nw']],
  ['no turn yet', { manner: ['jump'] }, false, JUMPING, []],
  ['a kind', { kind: 'E' }, true, JUMPING, ['i6-i9nw']],
  ['another kind', { kind: 'T' }, false, JUMPING, ['i6-i9nw']],
  ['a level', { level: 2 }, true, JUMPING, ['i6-i9nw']],
  ['a higher level', { level: 3 }, false, JUMPING, ['i6-i9nw']],
  ['a space', { space: 'i9' }, true, JUMPING, ['i6-i9nw']],
  ['another space', { space: 'i10' }, false, JUMPING, ['i6-i9nw']],
  ['a winner', { winner: 'w' }, true, WINNING, ['Co13n']],
  ['nobody yet', { winner: 'w' }, false, WINNING, []],
  ['a draw where somebody won', { draw: true }, false, WINNING, ['Co13n']],
  ['an end', { ended: true }, true, WINNING, ['Co13n']],
  ['an end of another kind', { ended: 'centre_count' }, false, WINNING, ['Co13n']],
  ['threats', { threats: 20 }, true, WINNING, []],
  ['more threats', { threats: 500 }, false, WINNING, []],
  ['safety', { safe: true }, true, WINNING, []],
  ['danger where there is none', { safe: false }, false, WINNING, []],
  ['dots in the centre', { centre: 3 }, true, JUMPING, []],
  ['more dots in the centre', { centre: 6 }, false, JUMPING, []],
  ['a lead', { lead: 1 }, true, JUMPING, ['i6-i9nw']],
  ['a larger lead', { lead: 7 }, false, JUMPING, ['i6-i9nw']],
  ['a blocked piece', { blocked: ['g8'] }, true, JUMPING, ['i6-i9nw']],
  ['a free piece', { blocked: ['k11'] }, false, JUMPING, ['i6-i9nw']],
  ['a piece that is not there', { blocked: ['a5'] }, false, JUMPING, ['i6-i9nw']],
  ['pieces that are free', { free: 2 }, true, JUMPING, []],
  ['too few of them', { free: 2 }, false, JUMPING, ['i6-i9nw']],
  ['a chain', { joined: ['a5', 'n14'] }, true, WINNING, []],
  ['no chain', { joined: ['a5', 'q13'] }, false, WINNING, []],
  ['a chain of the opponent’s', { apart: ['g11', 'l11'] }, false, CHAIN, []],
  ['the same, cut', { apart: ['g11', 'l11'] }, true, CHAIN, ['i4-i10n']],
  ['turns', { turns: 1 }, true, JUMPING, ['i6-i9nw']],
  ['a jump', { may: 'jump' }, true, JUMPING, []],
  ['no jump', { may: 'jump' }, false, 'standard w wTd5n bTl9n', []],
  ['a bridge', { may: 'bridge' }, true, 'standard w wTh8n wEi6nw bTk11n bCf7ne', []],
  ['no bridge', { may: 'bridge' }, false, 'standard w wTd5n bTl9n', []],
  ['all of several', { manner: ['jump'], level: 3 }, false, JUMPING, ['i6-i9nw']],
])('asks for %s', async (_, goal, expected, start, turns) => {
  expect(await holds(goal, start, ...turns)).toBe(expected)
})

it('asks for a refusal', async () => {
  const view = await kernel().view(JUMPING, [])
  const moment = { shape: SHAPE, view, player: 'w' as const, refused: ['UNEVEN', 'COVERED'], turns: 0 }
  expect(isGoalReached({ refused: 'COVERED' }, moment)).toBe(true)
  expect(isGoalReached({ refused: 'OFF_BOARD' }, moment)).toBe(false)
})

it('refuses what nobody knows', async () => {
  await expect(holds({ luck: 1 } as Goal, JUMPING)).rejects.toThrow('no goal can ask for luck')
})
