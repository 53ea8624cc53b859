/** What the rules say about a game of the server's while that does not answer: the kernel in the page is asked. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ApiError, OFFLINE } from '../../../src/api/client'
import { reportReachable, reportUnreachable } from '../../../src/api/connection.svelte'
import { ServerGame } from '../../../src/api/serverGame'
import { t } from '../../../src/i18n/index.svelte'
import { loadKernel } from '../../../src/kernel/lazy'
import { GameController } from '../../../src/pages/game/gameController.svelte'
import { DEFAULTS } from '../../../src/session/settings.svelte'
import { FakeSocket } from '../../support/fakeSocket'
import { REPLIED } from '../../support/games'
import { SHAPE } from '../../support/positions'
import { kernel } from '../../support/realKernel'

vi.mock('../../../src/kernel/lazy')

const sounds = { place: vi.fn(), refuse: vi.fn(), alert: vi.fn(), end: vi.fn() }

function play(): GameController {
  return new GameController(SHAPE, new ServerGame(REPLIED), { ...DEFAULTS }, sounds, () => true)
}

beforeEach(() => {
  localStorage.clear()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  vi.mocked(loadKernel).mockImplementation(async () => kernel())
})
afterEach(() => {
  reportReachable()
  vi.unstubAllGlobals()
})

describe('without the server', () => {
  it('earlier positions are those of the moves that are known', async () => {
    for (const known of [false, true]) {
      if (known) reportUnreachable()
      const at = play()
      await at.step('previous')
      expect([at.viewedPly, at.position.pieces.length, at.position.last?.text]).toEqual([1, 1, REPLIED.turns[0]?.text])
      await at.step('first')
      expect([at.viewedPly, at.position.pieces.length]).toEqual([0, 0])
      at.close()
    }
  })

  it('it is still said why something is not allowed', async () => {
    reportUnreachable()
    const at = play()
    expect(await at.type('Ti9n')).toBe(false)
    expect(at.gameMessage).toMatchObject({
      text: t('reason.ADDED_IN_CENTRE'),
      tone: 'refusal',
      highlights: ['i9', 'i10', 'j10'],
    })
  })

  it('and without a kernel either, that there is no connection; the game stays on the board', async () => {
    vi.mocked(loadKernel).mockRejectedValue(new ApiError(0, OFFLINE, 'not here'))
    reportUnreachable()
    const at = play()
    await at.step('previous')
    expect([at.viewedPly, at.position, at.gameMessage?.text]).toEqual([null, REPLIED.view, t('error.offline')])
  })
})
