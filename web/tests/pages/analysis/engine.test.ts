/** The engine beside the board: what it says when it cannot think. */
import { describe, expect, it } from 'vitest'
import { t } from '../../../src/i18n/index.svelte'
import { kernelError } from '../../../src/kernel/connection'
import type { Kernel, Report } from '../../../src/kernel/kernel'
import { Engine } from '../../../src/pages/analysis/engine.svelte'
import { report, settle } from '../../support/fakeKernel'

const MOMENT = { start: 'standard w', turns: [], turn: 'w', isOver: false } as const

/** A kernel whose searches end as a test says, the last one first. */
function kernel() {
  const answers: { resolve: (found: Report) => void; reject: (error: Error) => void }[] = []
  const search = () => {
    const result = new Promise<Report>((resolve, reject) => answers.unshift({ resolve, reject }))
    return { result, stop: () => undefined }
  }
  return { answers, kernel: { search } as unknown as Kernel }
}

describe('the engine', () => {
  it('says why it does not think, until it does', async () => {
    const { answers, kernel: by } = kernel()
    const engine = new Engine(by)
    engine.isOn = true
    engine.follow(MOMENT)
    answers[0]?.reject(kernelError('kernel-broke', 'gone'))
    await settle()
    expect(engine.error).toBe(t('error.kernel-broke'))
    expect(engine.isBusy).toBe(false)
    engine.follow(MOMENT)
    expect([engine.error, engine.isBusy]).toEqual(['', true])
    answers[0]?.resolve(report(0.6))
    await settle()
    expect([engine.error, engine.isBusy, engine.chance]).toEqual(['', false, 0.6])
    engine.follow(MOMENT)
    expect([engine.report, engine.chance]).toEqual([null, 0.6])
    engine.follow({ ...MOMENT, isOver: true })
    expect(engine.chance).toBeNull()
  })

  it('does not complain about a moment that nobody looks at any more', async () => {
    const { answers, kernel: by } = kernel()
    const engine = new Engine(by)
    engine.isOn = true
    engine.follow(MOMENT)
    engine.follow(MOMENT)
    answers[1]?.reject(kernelError('kernel-broke', 'gone'))
    await settle()
    expect([engine.error, engine.isBusy]).toEqual(['', true])
  })
})
