/** What the rules say about a game of the server's while that does not answer: the kernel in the page is asked. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { PlayedGame } from '../../src/game/played.svelte'
import { t } from '../../src/i18n/index.svelte'
import { ApiError, OFFLINE } from '../../src/net/client'
import { missed, reached } from '../../src/net/connection.svelte'
import { ServedGame } from '../../src/net/source'
import { loadKernel } from '../../src/parts/later'
import { DEFAULTS } from '../../src/parts/settings.svelte'
import { REPLIED } from '../games'
import { kernel } from '../inside'
import { SHAPE } from '../positions'
import { FakeSocket } from '../socket'

vi.mock('../../src/parts/later')

const sounds = { lay: vi.fn(), refuse: vi.fn(), call: vi.fn(), end: vi.fn() }

function play(): PlayedGame {
  return new PlayedGame(SHAPE, new ServedGame(REPLIED), { ...DEFAULTS }, sounds, () => true)
}

beforeEach(() => {
  localStorage.clear()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  vi.mocked(loadKernel).mockImplementation(async () => kernel())
})
afterEach(() => {
  reached()
  vi.unstubAllGlobals()
})

describe('without the server', () => {
  it('earlier positions are those of the moves that are known', async () => {
    for (const known of [false, true]) {
      if (known) missed()
      const at = play()
      await at.step('previous')
      expect([at.looking, at.position.pieces.length, at.position.last?.text]).toEqual([1, 1, REPLIED.turns[0]?.text])
      await at.step('first')
      expect([at.looking, at.position.pieces.length]).toEqual([0, 0])
      at.close()
    }
  })

  it('it is still said why something is not allowed', async () => {
    missed()
    const at = play()
    expect(await at.type('Ti9n')).toBe(false)
    expect(at.saying).toMatchObject({
      text: t('reason.ADDED_IN_CENTRE'),
      tone: 'refusal',
      pointed: ['i9', 'i10', 'j10'],
    })
  })

  it('and without a kernel either, that there is no connection; the game stays on the board', async () => {
    vi.mocked(loadKernel).mockRejectedValue(new ApiError(0, OFFLINE, 'not here'))
    missed()
    const at = play()
    await at.step('previous')
    expect([at.looking, at.position, at.saying?.text]).toEqual([null, REPLIED.view, t('error.offline')])
  })
})
