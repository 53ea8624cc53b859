/** What of a tree can be played, by the real kernel; and what is no word about the turns. */
import { describe, expect, it } from 'vitest'
import { kernelError } from '../../../src/kernel/connection'
import type { Kernel } from '../../../src/kernel/kernel'
import { legalPartOf } from '../../../src/pages/analysis/playableTree'
import { addAll, size, treeOf, movesTo } from '../../../src/study/tree'
import { kernel } from '../../support/realKernel'

const LINE = treeOf('standard w', ['Ed5ne', 'Tl10n', 'd5-d8n', 'Tl5n'])

/** The real kernel, which notes what it is asked. */
function counting(): Kernel & { asked: number } {
  const real = kernel()
  const counted = { ...real, asked: 0, view: ask }
  function ask(...asked: Parameters<Kernel['view']>): ReturnType<Kernel['view']> {
    counted.asked += 1
    return real.view(...asked)
  }
  return counted
}

describe('the sound part of a tree', () => {
  it('is all of it where the rules allow every turn, and one question a line finds that out', async () => {
    const { tree } = addAll(LINE, [0], ['Tl9n', 'd5-d8n'])
    const by = counting()
    expect(await legalPartOf(by, tree)).toEqual({ tree, fault: '' })
    expect(by.asked).toBe(3)
  })

  it('ends where a turn cannot be played; what branches off before stays', async () => {
    let { tree } = addAll(LINE, [0, 0, 0, 0], ['Ed5ne', 'd8-d5n', 'd8-d5n', 'hello'])
    ;({ tree } = addAll(tree, [0], ['Ed5ne', 'Tl9n']))
    ;({ tree } = addAll(tree, [0], ['Tl9n']))
    const { tree: sound, fault } = await legalPartOf(kernel(), tree)
    expect(fault).toBe('d8-d5n')
    expect(movesTo(sound, [0, 0, 0, 0, 0])).toEqual(['Ed5ne', 'Tl10n', 'd5-d8n', 'Tl5n', 'Ed5ne'])
    expect(sound.next[0]?.next.map(({ move: turn }) => turn)).toEqual(['Tl10n', 'Tl9n'])
    expect(size(sound)).toBe(6)
  })

  it('is nothing where the start makes no sense', async () => {
    const { tree, fault } = await legalPartOf(kernel(), { ...LINE, start: 'chess w' })
    expect([tree.start, tree.next, fault]).toEqual(['standard w', [], 'chess w'])
  })

  it('is not cut because the kernel cannot be asked', async () => {
    const broken = { view: () => Promise.reject(kernelError('kernel-broke', 'gone')) } as unknown as Kernel
    await expect(legalPartOf(broken, LINE)).rejects.toMatchObject({ code: 'kernel-broke' })
  })
})
