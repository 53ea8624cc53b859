/** The secret of a one-time link: read once, and no longer in the address. */
import { beforeEach, describe, expect, it } from 'vitest'

import { takeSecret } from '../../../src/pages/account/linkSecret'

beforeEach(() => history.replaceState(null, '', '/'))

describe('the secret of a link', () => {
  it('leaves the address, and is there when one comes back', () => {
    history.pushState(null, '', '/reset?lang=de#anna-1/c0ffee')
    const pages = history.length
    expect(takeSecret()).toBe('anna-1/c0ffee')
    expect(location.href).toMatch(/\/reset\?lang=de$/)
    expect(history.length).toBe(pages)
    history.pushState(null, '', '/account')
    expect(takeSecret()).toBe('')
    history.pushState(null, '', '/reset')
    expect(takeSecret()).toBe('anna-1/c0ffee')
  })

  it('is the one of the last link', () => {
    history.pushState(null, '', '/reset#anna-1/older')
    takeSecret()
    history.pushState(null, '', '/reset#anna-1/newer')
    expect(takeSecret()).toBe('anna-1/newer')
    history.pushState(null, '', '/admin/adopt')
    expect(takeSecret()).toBe('')
  })
})
