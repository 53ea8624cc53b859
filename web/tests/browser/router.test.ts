/** Going to a place that is not known yet. */
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { go, goWhenReady } from '../../src/browser/router.svelte'
import { deferred } from '../support/deferred'

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  go('/home')
})

describe('going later', () => {
  it('leads there once it is known', async () => {
    const path = deferred<string | null>()
    const gone = goWhenReady(path.promise)
    path.answer('/game/one')
    expect([await gone, location.pathname]).toEqual([true, '/game/one'])
  })

  it.each(['/rules', '/home'])('does not call anybody back who went to %s meanwhile', async (elsewhere) => {
    const path = deferred<string | null>()
    const gone = goWhenReady(path.promise)
    go(elsewhere)
    path.answer('/game/one')
    expect([await gone, location.pathname]).toEqual([false, elsewhere])
  })

  it('says what went wrong only to whoever waits for it', async () => {
    const [one, two] = [deferred<string | null>(), deferred<string | null>()]
    const first = goWhenReady(one.promise)
    one.fail(new Error('one'))
    await expect(first).rejects.toThrow('one')
    const second = goWhenReady(two.promise)
    go('/rules')
    two.fail(new Error('two'))
    expect(await second).toBe(false)
  })
})
