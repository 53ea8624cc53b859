import { cleanup, render } from '@testing-library/svelte'
import { afterEach, describe, expect, it } from 'vitest'

import PlayerName from '../../src/games/PlayerName.svelte'
import { tagOf } from '../../src/games/seats'
import { format } from '../../src/i18n/index.svelte'

const ANNA = { id: 'one', name: 'Anna', kind: 'person' } as const

afterEach(cleanup)

describe('a name', () => {
  it('is seen to be a program’s, or that of somebody without an account', () => {
    expect(tagOf(ANNA)).toBeNull()
    expect(tagOf({ ...ANNA, kind: 'admin' })).toBeNull()
    expect(tagOf({ ...ANNA, kind: 'bot' })).toBe('bot')
    expect(tagOf({ name: null, kind: 'bot' })).toBe('bot')
    expect(tagOf({ ...ANNA, kind: 'guest' })).toBe('guest')
    expect(tagOf({ name: null, kind: 'guest' })).toBeNull()
  })

  it('keeps to itself, apart from what is said about it', () => {
    const { container } = render(PlayerName, { player: { ...ANNA, name: 'ענת (1999', kind: 'guest' }, hasLink: true })
    expect(container.querySelector('bdi')?.textContent).toBe('ענת (1999')
    expect(container.querySelector('small')?.textContent).toBe('guest')
    expect(container.querySelector('bdi small')).toBeNull()
    expect(container.querySelector('a')).toBeNull()
  })

  it('leads to the page of whoever has an account', () => {
    const { container } = render(PlayerName, { player: ANNA, name: 'you', hasLink: true })
    expect(container.querySelector('a')?.getAttribute('href')).toBe('/player/one')
    expect(container.textContent?.trim()).toBe('you')
  })

  it('does not turn a sentence around', () => {
    const said = (name: string): string => format('en', '{name} is to move', { name })
    expect(said('Anna')).toBe('Anna is to move')
    expect(said('ענת')).toBe('\u2068ענת\u2069 is to move')
  })
})
