/** Looking through a game: one position after the other, stopped and taken up again, noted for later. */
import { describe, expect, it } from 'vitest'
import { GameReviewer, positionsOf } from '../../src/coach/gameReviewer.svelte'
import type { EvaluatedPosition } from '../../src/coach/judgements'
import { clearReviewProgress, loadReviewProgress, saveReviewProgress } from '../../src/coach/reviewProgress'
import { fakeKernel, settle } from '../support/fakeKernel'

const TURNS = ['Ed5ne', 'Tl10n']

async function begun(evaluations: readonly EvaluatedPosition[] = []) {
  const kernel = fakeKernel()
  const positions = await positionsOf(kernel, 'standard w', TURNS)
  return { kernel, reviewer: new GameReviewer(kernel, TURNS, positions, 500, evaluations) }
}

describe('a review under way', () => {
  it('looks at every position alone, with the same nodes, and tells how far it is', async () => {
    const { kernel, reviewer } = await begun()
    const told: number[] = []
    const done = reviewer.run((evaluations) => told.push(evaluations.length))
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
    expect(reviewer.isFinished).toBe(true)
    expect(reviewer.review?.start).toBe(0.6)
    expect(reviewer.review?.turns.map(({ colour, chance }) => [colour, chance])).toEqual([
      ['w', 0.5],
      ['b', 0.9],
    ])
    expect(reviewer.review?.turns[1]?.judgement).toBe('blunder')
  })

  it('stops at once, forgets what it was at, and goes on from there', async () => {
    const { kernel, reviewer } = await begun()
    const first = reviewer.run()
    await settle()
    kernel.sought[0]?.find(0.6)
    await settle()
    reviewer.stop()
    expect(await first).toBe(false)
    expect(kernel.sought[1]?.stopped).toBe(true)
    expect(reviewer.isRunning).toBe(false)
    expect(reviewer.evaluations).toHaveLength(1)
    const second = reviewer.run()
    await settle()
    expect(kernel.sought[2]?.start).toBe('standard w Ed5ne')
    kernel.sought[2]?.find(0.5)
    await settle()
    kernel.sought[3]?.find(0.5)
    expect(await second).toBe(true)
  })

  it('is not begun twice', async () => {
    const { kernel, reviewer } = await begun()
    void reviewer.run()
    expect(await reviewer.run()).toBe(false)
    await settle()
    expect(kernel.sought).toHaveLength(1)
  })
})

describe('what was found before', () => {
  const reviewKey = { game: 'g1', turns: TURNS, nodes: 500 }
  const evaluations: EvaluatedPosition[] = [
    { turn: 'w', over: null, best: { move: 'Ed5ne', score: 0.5, proven: 0, pv: ['Ed5ne'] } },
  ]

  it('is there again, for the same game and as close a look', async () => {
    saveReviewProgress(sessionStorage, reviewKey, evaluations)
    expect(loadReviewProgress(sessionStorage, reviewKey)).toEqual(evaluations)
    expect(loadReviewProgress(sessionStorage, { ...reviewKey, nodes: 400 })).toEqual([])
    expect(loadReviewProgress(sessionStorage, { ...reviewKey, turns: ['Ed5ne'] })).toEqual([])
    expect(loadReviewProgress(sessionStorage, { ...reviewKey, game: 'g2' })).toEqual([])
    const { kernel, reviewer } = await begun(evaluations)
    void reviewer.run()
    await settle()
    expect(kernel.sought[0]?.start).toBe('standard w Ed5ne')
    clearReviewProgress(sessionStorage, 'g1')
    expect(loadReviewProgress(sessionStorage, reviewKey)).toEqual([])
  })

  it.each([
    ['no list', { evaluations: 7 }],
    ['nonsense', { evaluations: [{ turn: 'x' }] }],
    ['half a variation', { evaluations: [{ turn: 'w', over: null, best: { move: 'Ed5ne' } }] }],
    ['too much', { evaluations: Array.from({ length: 9 }, () => evaluations[0]) }],
  ])('does no harm if it is damaged: %s', (_, damaged) => {
    sessionStorage.setItem('punct.review.g1', JSON.stringify({ nodes: 500, turns: TURNS.join(' '), ...damaged }))
    expect(loadReviewProgress(sessionStorage, reviewKey)).toEqual([])
  })
})
