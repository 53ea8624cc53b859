/** Answers that come late, twice, in another order, or as errors: only what is still wanted is told. */
import { describe, expect, it } from 'vitest'

import { Latest, STALE } from '../../src/requests/latest'
import { deferred } from '../support/deferred'

describe('the latest question', () => {
  it('has the answer, whatever comes of earlier ones, and in whichever order', async () => {
    const latest = new Latest()
    const [one, two] = [deferred<string>(), deferred<string>()]
    const first = latest.run(() => one.promise)
    const second = latest.run(() => two.promise)
    two.answer('two')
    expect(await second).toBe('two')
    one.answer('one')
    expect(await first).toBe(STALE)
  })

  it('alone has its error told', async () => {
    const latest = new Latest()
    const [one, two] = [deferred<string>(), deferred<string>()]
    const first = latest.run(() => one.promise)
    const second = latest.run(() => two.promise)
    one.fail(new Error('one'))
    expect(await first).toBe(STALE)
    two.fail(new Error('two'))
    await expect(second).rejects.toThrow('two')
  })

  it('is for the state it was asked in', async () => {
    let ply = 3
    const latest = new Latest(() => [ply, 'w'])
    const one = deferred<string>()
    const first = latest.run(() => one.promise)
    expect(latest.isPending).toBe(true)
    ply = 2
    expect(latest.isPending).toBe(false)
    one.answer('one')
    expect(await first).toBe(STALE)
    expect(await latest.run(async () => 'two')).toBe('two')
  })

  it('can be dropped', async () => {
    const latest = new Latest()
    const one = deferred<string>()
    const first = latest.run(() => one.promise)
    const ticket = latest.begin()
    expect(ticket.stale).toBe(false)
    latest.invalidate()
    expect(ticket.stale).toBe(true)
    one.answer('one')
    expect(await first).toBe(STALE)
  })

  it('is asked once, until it is answered or no longer wanted', async () => {
    let page = '/game/one'
    const latest = new Latest(() => [page])
    const asked: string[] = []
    const [one, two] = [deferred<string>(), deferred<string>()]
    const first = latest.runOnce(() => (asked.push('one'), one.promise))
    expect(await latest.runOnce(() => (asked.push('again'), two.promise))).toBe(STALE)
    page = '/game/two'
    const second = latest.runOnce(() => (asked.push('two'), two.promise))
    two.answer('two')
    one.answer('one')
    expect([await first, await second]).toEqual([STALE, 'two'])
    expect(await latest.runOnce(async () => 'three')).toBe('three')
    expect(asked).toEqual(['one', 'two'])
  })
})
