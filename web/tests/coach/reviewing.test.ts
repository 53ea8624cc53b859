/** Looking through a game: one position after the other, stopped and taken up again, noted for later. */
import { describe, expect, it } from 'vitest'
import type { Looked } from '../../src/coach/judging'
import { momentsOf, Reviewing } from '../../src/coach/reviewing.svelte'
import { forgetLooked, noteLooked, recallLooked } from '../../src/coach/unfinished'
import { fakeKernel, settle } from '../analysis/kernel'

const TURNS = ['Ed5ne', 'Tl10n']

async function begun(looked: readonly Looked[] = []) {
  const kernel = fakeKernel()
  const moments = await momentsOf(kernel, 'standard w', TURNS)
  return { kernel, reviewing: new Reviewing(kernel, TURNS, moments, 500, looked) }
}

describe('a review under way', () => {
  it('looks at every position alone, with the same nodes, and tells how far it is', async () => {
    const { kernel, reviewing } = await begun()
    const told: number[] = []
    const done = reviewing.run((looked) => told.push(looked.length))
    for (const score of [0.6, 0.5, 0.9]) {
      await settle()
      kernel.sought.at(-1)?.find(score)
    }
    expect(await done).toBe(true)
    expect(told).toEqual([1, 2, 3])
    expect(kernel.sought.map(({ start, nodes }) => [start, nodes])).toEqual([
      ['standard w', 500],
      ['standard w Ed5ne', 500],
      ['standard w Ed5ne Tl10n', 500],
    ])
    expect(reviewing.finished).toBe(true)
    expect(reviewing.review?.start).toBe(0.6)
    expect(reviewing.review?.turns.map(({ colour, chance }) => [colour, chance])).toEqual([
      ['w', 0.5],
      ['b', 0.9],
    ])
    expect(reviewing.review?.turns[1]?.judgement).toBe('blunder')
  })

  it('stops at once, forgets what it was at, and goes on from there', async () => {
    const { kernel, reviewing } = await begun()
    const first = reviewing.run()
    await settle()
    kernel.sought[0]?.find(0.6)
    await settle()
    reviewing.stop()
    expect(await first).toBe(false)
    expect(kernel.sought[1]?.stopped).toBe(true)
    expect(reviewing.running).toBe(false)
    expect(reviewing.looked).toHaveLength(1)
    const second = reviewing.run()
    await settle()
    expect(kernel.sought[2]?.start).toBe('standard w Ed5ne')
    kernel.sought[2]?.find(0.5)
    await settle()
    kernel.sought[3]?.find(0.5)
    expect(await second).toBe(true)
  })

  it('is not begun twice', async () => {
    const { kernel, reviewing } = await begun()
    void reviewing.run()
    expect(await reviewing.run()).toBe(false)
    await settle()
    expect(kernel.sought).toHaveLength(1)
  })
})

describe('what was found before', () => {
  const sitting = { game: 'g1', turns: TURNS, nodes: 500 }
  const looked: Looked[] = [{ turn: 'w', over: null, best: { move: 'Ed5ne', score: 0.5, proven: 0, pv: ['Ed5ne'] } }]

  it('is there again, for the same game and as close a look', async () => {
    noteLooked(sessionStorage, sitting, looked)
    expect(recallLooked(sessionStorage, sitting)).toEqual(looked)
    expect(recallLooked(sessionStorage, { ...sitting, nodes: 400 })).toEqual([])
    expect(recallLooked(sessionStorage, { ...sitting, turns: ['Ed5ne'] })).toEqual([])
    expect(recallLooked(sessionStorage, { ...sitting, game: 'g2' })).toEqual([])
    const { kernel, reviewing } = await begun(looked)
    void reviewing.run()
    await settle()
    expect(kernel.sought[0]?.start).toBe('standard w Ed5ne')
    forgetLooked(sessionStorage, 'g1')
    expect(recallLooked(sessionStorage, sitting)).toEqual([])
  })

  it.each([
    ['no list', { looked: 7 }],
    ['nonsense', { looked: [{ turn: 'x' }] }],
    ['half a variation', { looked: [{ turn: 'w', over: null, best: { move: 'Ed5ne' } }] }],
    ['too much', { looked: Array.from({ length: 9 }, () => looked[0]) }],
  ])('does no harm if it is damaged: %s', (_, damaged) => {
    sessionStorage.setItem('punct.review.g1', JSON.stringify({ nodes: 500, turns: TURNS.join(' '), ...damaged }))
    expect(recallLooked(sessionStorage, sitting)).toEqual([])
  })
})
