/** Setting up a position by hand: changes that follow each other more quickly than the kernel answers. */
import { describe, expect, it } from 'vitest'
import type { PositionView } from '../../../src/api/model'
import type { Kernel } from '../../../src/kernel/kernel'
import { PositionEditor } from '../../../src/pages/analysis/positionEditor.svelte'
import { settled } from '../../support/deferred'
import { SHAPE, START } from '../../support/positions'
import { kernel } from '../../support/realKernel'

const real = kernel()

/** An editor whose kernel answers when it is told to. */
function begin() {
  const waiting: (() => void)[] = []
  const view = (start: string, turns: readonly string[]): Promise<PositionView> =>
    new Promise((resolve, reject) => waiting.push(() => void real.view(start, turns).then(resolve, reject)))
  const late = { view, status: (text: string) => real.status(text) } as Kernel
  const editor = new PositionEditor(SHAPE, late, START)
  const tell = async (): Promise<void> => {
    for (const answer of waiting.splice(0)) answer()
    // The kernel answers in order: what it was asked before this is answered, too.
    await real.view(START.text, [])
    await settled()
  }
  return { editor, tell }
}

describe('the position editor', () => {
  it('makes every change, however late the position of the one before comes', async () => {
    const { editor, tell } = begin()
    void editor.change({ turn: 'b' })
    void editor.change({ rules: 'basic' })
    await tell()
    expect(editor.view.text).toBe('basic b')
    void editor.change({ turn: 'w' })
    await tell()
    expect(editor.view.text).toBe('basic w')
  })

  it('goes on from the position shown after a change that is refused', async () => {
    const { editor, tell } = begin()
    void editor.read('standard b wTd5n')
    await tell()
    void editor.change({ rules: 'nonsense' as never })
    await tell()
    expect(editor.errorText).not.toBe('')
    void editor.change({ turn: 'w' })
    await tell()
    expect([editor.view.text, editor.errorText]).toEqual(['standard w wTd5n', ''])
  })
})
