/** Learning from mistakes: each again, judged as the game was. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/api/client'
import type { PositionView, Remark } from '../../../src/api/model'
import type { ReviewResult } from '../../../src/coach/judgements'
import { openChapter } from '../../../src/i18n/index.svelte'
import { MistakePractice } from '../../../src/pages/review/mistakePractice.svelte'
import { verdictWords } from '../../../src/pages/review/words'
import { deferred } from '../../support/deferred'
import { fakeKernel, settle } from '../../support/fakeKernel'
import { SHAPE } from '../../support/positions'

beforeAll(() => openChapter('coach'))

const SETUP = { shape: SHAPE, options: () => ({ confirm: true }) }
const TURNS = ['Ed5ne', 'Tl10n', 'Tc3n', 'Tl9n']

function remark(ply: number, chance: number, changes: Partial<Remark> = {}): Remark {
  const told = TURNS[ply] ?? ''
  const colour = ply % 2 ? 'b' : 'w'
  return { ply, colour, turn: told, chance, given_away: 0, proven: 0, judgement: null, best: [told], ...changes }
}

/** White goes wrong twice: from 60 % to 40 %, and from 50 % to 10 %. */
const REVIEW: ReviewResult = {
  start: 0.6,
  turns: [
    remark(0, 0.4, { given_away: 0.2, judgement: 'mistake', best: ['Td5n', 'Tl9n'] }),
    remark(1, 0.5),
    remark(2, 0.1, { given_away: 0.4, judgement: 'blunder', best: ['Cf2n'] }),
    remark(3, 0.1),
  ],
}

async function learning() {
  const kernel = fakeKernel()
  const game = { start: 'standard w', turns: TURNS }
  const begun = await MistakePractice.of({ kernel, game, review: REVIEW, nodes: 500 }, 'w', SETUP)
  if (!begun) throw new Error('there are mistakes')
  /** Play a turn as the board does. */
  const play = async (kind: 'T' | 'C', space: string): Promise<void> => {
    begun.board.moveEntry.act({ do: 'take', kind, colour: 'w' })
    begun.board.moveEntry.act({ do: 'tap', space })
    begun.board.moveEntry.act({ do: 'confirm' })
    await settle()
  }
  return { kernel, begun, play }
}

describe('learning', () => {
  it('judges no try that came after it was over', async () => {
    const { kernel, begun } = await learning()
    await begun.next()
    expect(begun.index).toBe(1)
    const judged = deferred<PositionView>()
    const { view } = begun.board
    kernel.view = () => judged.promise
    begun.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    const [space = ''] = begun.board.moveEntry.landings
    begun.board.moveEntry.act({ do: 'tap', space })
    begun.board.moveEntry.act({ do: 'confirm' })
    expect(begun.board.moveEntry.step).toBe('sent')
    await begun.next()
    judged.answer(view)
    await settle()
    expect(begun.stage).toBe('done')
    expect(kernel.sought).toEqual([])
  })

  it('shows the solution to whoever asks for it while a try is judged', async () => {
    const { kernel, begun, play } = await learning()
    const [tried, shown] = [deferred<PositionView>(), deferred<PositionView>()]
    const { view } = begun.board
    const answers = [tried.promise, shown.promise]
    kernel.view = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
    await play('T', 'c3')
    void begun.showSolution()
    tried.answer(view)
    await settle()
    expect(begun.stage).toBe('find')
    shown.answer(view)
    await settle()
    expect([begun.stage, begun.triedMoves]).toEqual(['shown', ['Td5n']])
    expect(kernel.sought).toEqual([])
  })

  it('begins with the first mistake of a colour, before it was made', async () => {
    const { begun } = await learning()
    expect(begun.mistakes.map(({ ply }) => ply)).toEqual([0, 2])
    expect(begun.board.view.text).toBe('standard w')
    expect(begun.evaluation).toEqual({ chance: 0.6, proven: 0, best: ['Td5n', 'Tl9n'] })
    expect(begun.board.player).toBe('w')
  })

  it('has nothing to teach whoever made no mistake', async () => {
    const game = { start: 'standard w', turns: TURNS }
    const source = { kernel: fakeKernel(), game, review: REVIEW, nodes: 500 }
    expect(await MistakePractice.of(source, 'b', SETUP)).toBeNull()
  })

  it('tells a bad try from a good one by the scale of the review', async () => {
    const { kernel, begun, play } = await learning()
    await play('T', 'c3')
    expect(begun.stage).toBe('judging')
    expect(begun.board.player).toBeNull()
    expect(kernel.sought[0]?.nodes).toBe(500)
    // The other side has 55 %: 60 % became 45 %.
    kernel.sought[0]?.find(0.55, 0, ['Tl8n'])
    await settle()
    expect(begun.verdict).toMatchObject({ good: false, best: false, again: false, answer: ['Tl8n'] })
    expect(begun.verdict?.remark.judgement).toBe('inaccuracy')
    expect(verdictWords(begun.verdict as never)).toContain('Tl8n')
    expect(begun.solvedCount).toBe(0)
    await begun.retry()
    expect(begun.stage).toBe('find')
    expect(begun.board.view.text).toBe('standard w')
    await play('T', 'c3')
    kernel.sought[1]?.find(0.45)
    await settle()
    expect(begun.verdict).toMatchObject({ good: true, best: false })
    expect(begun.solvedCount).toBe(1)
  })

  it('shows the solution turn by turn, goes on, and ends', async () => {
    const { begun } = await learning()
    await begun.showSolution()
    expect(begun.stage).toBe('shown')
    expect(begun.triedMoves).toEqual(['Td5n'])
    expect(begun.hasMore).toBe(true)
    await begun.showSolution()
    expect(begun.triedMoves).toEqual(['Td5n', 'Tl9n'])
    expect(begun.hasMore).toBe(false)
    await begun.next()
    expect(begun.board.view.text).toBe('standard w Ed5ne Tl10n')
    expect(begun.evaluation.chance).toBe(0.5)
    await begun.next()
    expect(begun.stage).toBe('done')
    expect(begun.solvedCount).toBe(0)
    await begun.restart()
    expect(begun.index).toBe(0)
    expect(begun.stage).toBe('find')
  })

  it('shows one turn more of the solution at each press, however late the positions come', async () => {
    const { kernel, begun } = await learning()
    const late = [deferred<PositionView>(), deferred<PositionView>()]
    const answers = late.map(({ promise }) => promise)
    kernel.view = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
    void begun.showSolution()
    void begun.showSolution()
    for (const { answer } of late) answer(begun.board.view)
    await settle()
    expect([begun.stage, begun.triedMoves]).toEqual(['shown', ['Td5n', 'Tl9n']])
  })

  it('leaves out nothing of the solution after a position that never came', async () => {
    const { kernel, begun } = await learning()
    const { view } = kernel
    kernel.view = () => Promise.reject(new ApiError(0, 'offline', 'away'))
    await begun.showSolution()
    expect([begun.stage, begun.board.message?.tone]).toEqual(['find', 'refusal'])
    kernel.view = view
    await begun.showSolution()
    expect([begun.stage, begun.triedMoves]).toEqual(['shown', ['Td5n']])
  })

  it('counts what was found by oneself: each once, and nothing that was shown before', async () => {
    const { kernel, begun, play } = await learning()
    const found = async (): Promise<void> => {
      await play('T', 'c3')
      kernel.sought.at(-1)?.find(0.45)
      await settle()
      expect(begun.verdict?.good).toBe(true)
    }
    await begun.showSolution()
    await begun.retry()
    await found()
    expect(begun.solvedCount).toBe(0)
    await begun.restart()
    await found()
    await begun.retry()
    await found()
    expect(begun.solvedCount).toBe(1)
    await begun.showSolution()
    expect(begun.solvedCount).toBe(1)
    await begun.restart()
    expect(begun.solvedCount).toBe(0)
  })

  it('does not judge what is no longer on the board', async () => {
    const { kernel, begun, play } = await learning()
    await play('T', 'c3')
    await begun.next()
    kernel.sought[0]?.find(0.1)
    await settle()
    expect(begun.verdict).toBeNull()
    expect(begun.stage).toBe('find')
    expect(begun.solvedCount).toBe(0)
  })
})
