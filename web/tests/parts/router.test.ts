/** Going to a place that is not known yet. */
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { go, goLater } from '../../src/parts/router.svelte'
import { later } from '../answers'

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  go('/home')
})

describe('going later', () => {
  it('leads there once it is known', async () => {
    const path = later<string | null>()
    const gone = goLater(path.promise)
    path.answer('/game/one')
    expect([await gone, location.pathname]).toEqual([true, '/game/one'])
  })

  it.each(['/rules', '/home'])('does not call anybody back who went to %s meanwhile', async (elsewhere) => {
    const path = later<string | null>()
    const gone = goLater(path.promise)
    go(elsewhere)
    path.answer('/game/one')
    expect([await gone, location.pathname]).toEqual([false, elsewhere])
  })

  it('says what went wrong only to whoever waits for it', async () => {
    const [one, two] = [later<string | null>(), later<string | null>()]
    const first = goLater(one.promise)
    one.fail(new Error('one'))
    await expect(first).rejects.toThrow('one')
    const second = goLater(two.promise)
    go('/rules')
    two.fail(new Error('two'))
    expect(await second).toBe(false)
  })
})
