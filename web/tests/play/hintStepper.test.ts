/** Hints in steps, whose move is found when a test says so: every press counts, however long the search takes. */
import { describe, expect, it } from 'vitest'
import { t } from '../../src/i18n/index.svelte'
import { HintStepper } from '../../src/play/hintStepper.svelte'
import { MoveBoard } from '../../src/play/moveBoard.svelte'
import { readStep, type SolutionStep } from '../../src/play/solutionStep'
import type { Stage } from '../../src/play/taskBoard.svelte'
import { type Deferred, deferred, settled } from '../support/deferred'
import { SHAPE, START } from '../support/positions'

const MOVE = readStep('Td5n', START)
const PIECE = t('learn.hint_set', { kind: t('kind.T') })
const SPACE = t('learn.hint_space', { space: 'd5' })
const HEADING = t('learn.hint_heading', { heading: t('heading.n') })

function begin(stage: () => Stage = () => 'try') {
  const searches: Deferred<SolutionStep | null>[] = []
  const board = new MoveBoard(
    { shape: SHAPE, view: START, options: () => ({ confirm: true }) },
    { position: () => ({ start: START.text, turns: [] }) },
  )
  const hints = new HintStepper(board, stage, () => {
    const search = deferred<SolutionStep | null>()
    searches.push(search)
    return search.promise
  })
  const find = async (move: SolutionStep | null): Promise<void> => {
    searches.at(-1)?.answer(move)
    await settled()
  }
  const spoken = (): string[] => board.announcer.lines.map(({ text }) => text)
  return { hints, searches, find, spoken }
}

describe('the hint of a task', () => {
  it('goes one step further at each press', async () => {
    const { hints, searches, find, spoken } = begin()
    void hints.give()
    expect([hints.isSearching, hints.hint]).toEqual([true, null])
    await find(MOVE)
    expect([hints.isSearching, hints.hint?.words, hints.hint?.move]).toEqual([false, PIECE, null])
    // The move is known: what is pressed quickly is answered at once.
    void hints.give()
    void hints.give()
    expect(hints.hint?.words).toBe(`${PIECE} ${SPACE} ${HEADING}`)
    expect(hints.hint?.move).toEqual(MOVE.move)
    void hints.give()
    expect(hints.hint?.words).toBe(`${PIECE} ${SPACE} ${HEADING}`)
    expect(searches).toHaveLength(1)
    expect(spoken().slice(0, 3)).toEqual([PIECE, `${PIECE} ${SPACE}`, `${PIECE} ${SPACE} ${HEADING}`])
  })

  it('counts what is pressed while its move is searched', async () => {
    const { hints, searches, find, spoken } = begin()
    void hints.give()
    void hints.give()
    await find(MOVE)
    expect(hints.hint?.words).toBe(`${PIECE} ${SPACE}`)
    expect(spoken()).toEqual([`${PIECE} ${SPACE}`])
    expect(searches).toHaveLength(1)
  })

  it('begins anew where another position is shown, whatever was searched for the one before', async () => {
    const { hints, searches, find } = begin()
    void hints.give()
    void hints.give()
    hints.clear()
    expect(hints.isSearching).toBe(false)
    void hints.give()
    searches[0]?.answer(readStep('Cf2n', START))
    await settled()
    expect([hints.isSearching, hints.hint]).toEqual([true, null])
    await find(MOVE)
    expect(hints.hint?.words).toBe(PIECE)
    hints.clear()
    expect(hints.hint).toBeNull()
  })

  it('searches again where nothing was found, and begins with the first step', async () => {
    const { hints, searches, find, spoken } = begin()
    void hints.give()
    void hints.give()
    await find(null)
    expect([hints.isSearching, hints.hint, spoken()]).toEqual([false, null, []])
    void hints.give()
    await find(MOVE)
    expect([hints.hint?.words, searches.length]).toEqual([PIECE, 2])
  })

  it('can be requested again after a search that failed', async () => {
    const { hints, searches, find } = begin()
    const failed = hints.give()
    searches[0]?.fail(new Error('broken'))
    await expect(failed).rejects.toThrow('broken')
    void hints.give()
    await find(MOVE)
    expect(hints.hint?.words).toBe(PIECE)
  })

  it('is given on the player’s turn alone', async () => {
    const { hints, searches } = begin(() => 'answer')
    await hints.give()
    expect([hints.hint, searches.length]).toEqual([null, 0])
  })
})
