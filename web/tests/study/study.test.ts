/** A tree that is worked on: what is shown, what is kept, and that nothing late is shown. */
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../src/api/client'
import type { PositionView } from '../../src/api/model'
import { positionWords } from '../../src/board/view/words'
import type { Judge } from '../../src/play/judge'
import { Study } from '../../src/study/study.svelte'
import { addAll, treeOf, movesTo } from '../../src/study/tree'
import { MIDDLE, SHAPE, START } from '../support/positions'

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const LINE = treeOf('standard w', ['Ed5ne', 'Tl10n', 'd5-d8n'])

/** Views that tell by their text what was played. */
function judge(): Judge & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    view: (start, turns) => {
      asked.push(turns.join(' '))
      if (turns.includes('Zz')) return Promise.reject(new ApiError(422, 'illegal_turn', 'no', { reason: 'OFF_BOARD' }))
      const view: PositionView = turns.length ? { ...MIDDLE, text: [start, ...turns].join(' ') } : START
      return Promise.resolve(view)
    },
    explainTap: vi.fn(),
  }
}

function studying(by: Judge = judge()): Study {
  return new Study(
    { shape: SHAPE, view: START, options: () => ({ confirm: true }), judge: by },
    { tree: LINE, path: [] },
  )
}

describe('a study', () => {
  it('steps along its main line and back, and asks for a position once', async () => {
    const by = judge()
    const study = studying(by)
    await study.jump('last')
    expect(study.moves).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n'])
    expect(study.board.view.text).toBe('standard w Ed5ne Tl10n d5-d8n')
    await study.step(1)
    await study.step(-1)
    await study.step(1)
    await study.jump('first')
    expect(study.board.view).toBe(START)
    expect(by.asked).toEqual(['Ed5ne Tl10n d5-d8n', 'Ed5ne Tl10n'])
  })

  it('tells those who do not see it where they have stepped to', async () => {
    const study = studying()
    await study.step(1)
    await study.step(-1)
    expect(study.board.announcer.lines.map(({ text }) => text)).toEqual([
      positionWords(MIDDLE),
      'The board before the first move.',
    ])
  })

  it('shows the moment that was asked for last, whatever comes later', async () => {
    const waiting: (() => void)[] = []
    const slow: Judge = {
      ...judge(),
      view: (_, turns) => new Promise((resolve) => waiting.push(() => resolve({ ...MIDDLE, text: turns.join(' ') }))),
    }
    const study = studying(slow)
    void study.moveTo([0])
    void study.moveTo([0, 0])
    waiting[1]?.()
    await settle()
    waiting[0]?.()
    await settle()
    expect(study.board.view.text).toBe('Ed5ne Tl10n')
    expect(study.path).toEqual([0, 0])
  })

  it('goes on from what was asked for, however quickly somebody steps, and loses nothing said meanwhile', async () => {
    const waiting: (() => void)[] = []
    const slow: Judge = {
      ...judge(),
      view: (_, turns) => new Promise((resolve) => waiting.push(() => resolve({ ...MIDDLE, text: turns.join(' ') }))),
    }
    const study = studying(slow)
    void study.step(1)
    void study.step(1)
    study.amend((tree) => addAll(tree, [0], ['Tl9n']).tree)
    expect(study.path).toEqual([])
    for (const answer of waiting) answer()
    await settle()
    expect(study.board.view.text).toBe('Ed5ne Tl10n')
    expect(study.path).toEqual([0, 0])
    expect(study.tree.next[0]?.next.map(({ move: turn }) => turn)).toEqual(['Tl10n', 'Tl9n'])
    void study.playAll(['Zz'])
    void study.step(-1)
    for (const answer of waiting.slice(2)) answer()
    await settle()
    expect(study.path).toEqual([0, 0])
  })

  it('files a move where it was played, whoever steps on before it is judged', async () => {
    const waiting: (() => void)[] = []
    const { view } = judge()
    const slow: Judge = {
      ...judge(),
      view: (start, turns) => new Promise((resolve) => waiting.push(() => resolve(view(start, turns)))),
    }
    const study = studying(slow)
    const first = study.step(1)
    waiting[0]?.()
    await first
    study.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    const [space = ''] = study.board.moveEntry.landings
    study.board.moveEntry.act({ do: 'tap', space })
    study.board.moveEntry.act({ do: 'confirm' })
    const { pendingMove: sent } = study.board.moveEntry.entry
    expect(sent).toContain(space)
    const stepped = study.step(-1) // known already
    await stepped
    expect(study.path).toEqual([0])
    expect(study.board.moveEntry.entry).toMatchObject({ source: null, pendingMove: null })
    waiting[1]?.()
    await settle()
    expect(study.path).toEqual([0])
    expect(study.tree.next).toHaveLength(1)
    expect(study.tree.next[0]?.next.map(({ move: turn }) => turn)).toEqual(['Tl10n', sent])
    expect(study.board.moveEntry.step).toBe('choose')
  })

  it('is not stuck where a move and a step after it both fail', async () => {
    const waiting: ((error: ApiError) => void)[] = []
    const study = studying({ ...judge(), view: () => new Promise((_, reject) => waiting.push(reject)) })
    study.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    study.board.moveEntry.act({ do: 'tap', space: 'o8' })
    study.board.moveEntry.act({ do: 'confirm' })
    void study.jump('last')
    for (const fail of waiting) fail(new ApiError(0, 'offline', 'nobody there'))
    await settle()
    expect(study.board.message?.tone).toBe('refusal')
    expect([study.path, study.tree, study.board.moveEntry.step]).toEqual([[], LINE, 'turn'])
  })

  it('takes turns from the board, and from whoever has found some', async () => {
    const study = studying()
    study.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    study.board.moveEntry.act({ do: 'tap', space: 'd5' })
    study.board.moveEntry.act({ do: 'confirm' })
    await settle()
    expect(study.path).toEqual([1])
    await study.playAll(['Tl9n', 'd5-d6n'])
    expect(study.moves).toEqual(['Td5n', 'Tl9n', 'd5-d6n'])
    await study.promote()
    expect(movesTo(study.tree, [0, 0, 0])).toEqual(['Td5n', 'Tl9n', 'd5-d6n'])
    await study.undo()
    await study.undo()
    await study.undo()
    expect(study.tree).toBe(LINE)
    expect(study.canUndo).toBe(false)
    await study.redo()
    expect(study.moves).toEqual(['Td5n'])
  })

  it('leaves everything as it is where a turn cannot be played, and says why', async () => {
    const study = studying()
    await study.playAll(['Zz'])
    expect(study.tree).toBe(LINE)
    expect(study.board.message?.tone).toBe('refusal')
  })

  it('keeps marks and comments, and forgets what is deleted', async () => {
    const study = studying()
    await study.moveTo([0])
    study.comment('good')
    study.mark('!')
    expect(study.node).toMatchObject({ comment: 'good', mark: '!' })
    await study.remove()
    expect(study.path).toEqual([])
    expect(study.tree.next).toEqual([])
    await study.begin(addAll(LINE, [0], ['Tl9n']).tree)
    expect(study.tree.next).toHaveLength(1)
  })

  it('takes over what happens elsewhere, which no undo takes away', async () => {
    const study = studying()
    await study.playAll(['Td5n'])
    await study.rebase((tree) => addAll(tree, [0], ['Tl9n']).tree)
    expect(study.moves).toEqual(['Td5n'])
    await study.undo()
    expect(study.tree.next).toHaveLength(1)
    expect(study.tree.next[0]?.next.map(({ move }) => move)).toEqual(['Tl10n', 'Tl9n'])
    expect(study.canUndo).toBe(false)
    await study.redo()
    expect(study.moves).toEqual(['Td5n'])
    expect(study.tree.next[0]?.next).toHaveLength(2)
    // The position shown is gone: the one before it is shown.
    await study.rebase(() => LINE)
    expect(study.board.view).toBe(START)
  })

  it('loses no step that is on its way to what happens elsewhere', async () => {
    const waiting: (() => void)[] = []
    const { view } = judge()
    const study = studying({
      ...judge(),
      view: (start, turns) => new Promise((resolve) => waiting.push(() => resolve(view(start, turns)))),
    })
    const played = study.playAll(['Td5n'])
    const taken = study.rebase((tree) => ({ ...tree, next: [...treeOf(tree.start, ['Ma2n']).next, ...tree.next] }))
    for (const answer of waiting) answer()
    await Promise.all([played, taken])
    expect(study.moves).toEqual(['Td5n'])
    expect(study.tree.next.map(({ move }) => move)).toEqual(['Ma2n', 'Ed5ne', 'Td5n'])
  })
})
