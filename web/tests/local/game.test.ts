/** One game of this browser in several tabs, against the computer, damaged, and gone. */
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../src/api/client'
import type { Game, LiveMessage } from '../../src/api/model'
import type { Kernel } from '../../src/kernel/kernel'
import { DATABASE } from '../../src/local/database'
import type { LocalGame } from '../../src/local/game'
import type { GameStore } from '../../src/local/gameStore'
import type { SavedGame } from '../../src/local/savedGame'
import { settled } from '../support/deferred'
import { closeTabs, ENGINE, freshBrowser, ID, kept, opened, remark, tab } from './tabs'

const AGAINST = { seats: { w: kept().seats.w, b: ENGINE } }

/** Somebody who looks at a game. */
class Watcher {
  readonly messages: LiveMessage[] = []
  readonly moved = vi.fn()
  readonly stop: () => void
  constructor(readonly at: LocalGame) {
    this.stop = at.listen(() => this.game?.revision ?? at.game.revision, {
      message: (message) => this.messages.push(message),
      connected: vi.fn(),
      uploaded: this.moved,
    })
    watchers.push(this)
  }

  get game(): Game | undefined {
    return this.messages.flatMap((message) => (message.type === 'game' ? [message.game] : [])).at(-1)
  }
}
const watchers: Watcher[] = []

async function failure(wish: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await wish.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('a game of this browser', () => {
  let store: GameStore
  beforeEach(async () => {
    await freshBrowser()
    store = tab()
  })
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) watcher.stop()
    await closeTabs()
  })

  it('is played in two tabs, each of which sees what the other does', async () => {
    await store.add(kept())
    const [one, two] = [await opened(store), await opened(tab())]
    const watcher = new Watcher(two)
    await one.play('Ed5ne', 0)
    await vi.waitFor(() => expect(watcher.game?.ply).toBe(1))
    const late = await failure(two.play('Cc5n', 0))
    expect(late).toMatchObject({ status: 409, code: 'wrong_ply' })
    expect((late.detail['game'] as Game).turns.map(({ text }) => text)).toEqual(['Ed5ne'])
    expect((await two.play('Tl10n', 1)).ply).toBe(2)
  })

  it('lets one of two be first who play at the same time', async () => {
    await store.add(kept())
    const [one, two] = [await opened(store), await opened(tab())]
    const answers = await Promise.allSettled([one.play('Ed5ne', 0), two.play('Cc5n', 0)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(((await store.get(ID)) as SavedGame).turns).toHaveLength(1)
  })

  it('is answered by the computer once, however many look at it', async () => {
    await store.add(kept(AGAINST))
    const [one, two] = [await opened(store), await opened(tab())]
    const watching = [new Watcher(one), new Watcher(two)]
    await one.play('Ed5ne', 0)
    for (const { game } of watching) expect(game?.thinking.state ?? 'thinking').toBe('thinking')
    await vi.waitFor(() => expect(watching.map((watcher) => watcher.game?.ply)).toEqual([2, 2]))
    const stored = (await store.get(ID)) as SavedGame
    expect(stored.turns).toHaveLength(2)
    expect(stored.revision).toBe(3)
    expect((await one.undo(2)).ply).toBe(0)
  })

  it('says by a code why the computer could not move', async () => {
    await store.add(kept({ ...AGAINST, turn: 'b' }, 'Ed5ne'))
    for (const [error, code] of [
      [new ApiError(0, 'no-memory', 'in English'), 'no-memory'],
      [new TypeError('ours'), 'engine_failed'],
    ] as const) {
      const at = await opened(store)
      const play = (): ReturnType<Kernel['play']> => ({ result: Promise.reject(error), stop: vi.fn() })
      vi.spyOn(at.kernels.moves, 'play').mockImplementation(play)
      const watcher = new Watcher(at)
      await vi.waitFor(() => {
        expect(watcher.messages.at(-1)).toMatchObject({ type: 'thinking', thinking: { state: 'failed', code } })
      })
      watcher.stop()
    }
  })

  it('has no computer that thinks where nobody looks', async () => {
    await store.add(kept({ ...AGAINST, turn: 'b' }, 'Ed5ne'))
    const at = await opened(store)
    const play = vi.spyOn(at.kernels.moves, 'play')
    await settled()
    expect(play).not.toHaveBeenCalled()
    expect(((await store.get(ID)) as SavedGame).turns).toHaveLength(1)
    const watcher = new Watcher(at)
    await vi.waitFor(() => expect(watcher.game?.ply).toBe(2))
  })

  it('gives a hint that can be played', async () => {
    await store.add(kept())
    const at = await opened(store)
    const { turn, ply, line } = await at.hint(new AbortController().signal)
    expect(ply).toBe(0)
    expect(line[0]).toBe(turn)
    expect((await at.play(turn, 0)).turns[0]?.text).toBe(turn)
  })

  it('steps back, explains, and can be saved', async () => {
    await store.add(kept({ turn: 'b', outcome: { winner: 'w', reason: 'resignation' } }, 'Ed5ne'))
    const at = await opened(store)
    expect((await at.position(0)).text).toBe('standard w')
    expect((await at.explain('Ed5ne', 1)).reason).toBe('SPACE_TAKEN')
    expect((await at.explainTap('Td5', 1)).legal).toBe(false)
    const text = decodeURIComponent(at.links.record('text') ?? '')
    expect(text).toContain('[Result "1-0"]\n[Termination "resignation"]\n\n1. Ed5ne 1-0')
    expect(at.links.record('sgf')).toBeNull()
  })

  it('keeps its review for the turns it was made of, for every tab, and forgets it with the game', async () => {
    await store.add(kept({}, 'Ed5ne'))
    const at = await opened(store)
    expect(await at.reviews.load()).toBeNull()
    await at.reviews.save(20, { start: 0.5, turns: [remark(0, 'Ed5ne')] })
    const other = await opened(tab())
    expect(await other.reviews.load()).toMatchObject({ nodes: 20, start: 0.5, turns: [{ turn: 'Ed5ne' }] })
    await other.play('Tl10n', 1)
    expect(await other.reviews.load()).toBeNull()
    await other.undo(2)
    expect((await (await opened(tab())).reviews.load())?.nodes).toBe(20)
    await store.remove(ID)
    expect(await store.reviews()).toEqual([])
  })

  it('has no review where that is damaged', async () => {
    await store.add(kept({}, 'Ed5ne'))
    await store.saveReview({ id: ID, nodes: 20, start: 0.5, turns: [{ ply: 0, turn: 'Ed5ne' }] as never })
    expect(await (await opened(store)).reviews.load()).toBeNull()
  })

  it('is still there after the browser’s place for games has got another shape', async () => {
    const old = await openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore('games', { keyPath: 'id' }) })
    await old.put('games', kept({}, 'Ed5ne'))
    old.close()
    expect((await store.all()).games.map(({ id }) => id)).toEqual([ID])
    await store.saveReview({ id: ID, nodes: 20, start: 0.5, turns: [] })
    expect(await store.reviews()).toHaveLength(1)
  })

  it('says so when it was deleted, or is with the server', async () => {
    await store.add(kept())
    const [one, two] = [await opened(store), await opened(tab())]
    const [first, second] = [new Watcher(one), new Watcher(two)]
    await store.markUploaded(ID, 1, { id: 'served', revision: 1 })
    await vi.waitFor(() => {
      for (const { moved } of [first, second]) expect(moved).toHaveBeenCalledWith({ id: 'served', revision: 1 })
    })
    await store.remove(ID)
    await vi.waitFor(() => expect(first.messages).toContainEqual({ type: 'gone', reason: 'deleted' }))
    expect(await failure(one.play('Ed5ne', 0))).toMatchObject({ code: 'unknown_game' })
  })
})

describe('what is damaged', () => {
  beforeEach(freshBrowser)
  afterEach(closeTabs)

  it.each([
    ['no turns', { turns: 'Ed5ne' }],
    ['no seats', { seats: { w: ENGINE } }],
    ['no dates', { created: 'once' }],
    ['an end nobody knows', { outcome: { winner: 'green' } }],
    ['a wrong id', { handed: { id: 3 } }],
  ])('has %s, and the others are still there', async (_, damage) => {
    const store = tab()
    await store.add({ ...kept(), ...damage } as SavedGame)
    await store.add(kept({ id: 'sound' }))
    expect(await failure(store.get(ID))).toMatchObject({ code: 'broken_game' })
    const { games, damaged } = await store.all()
    expect(games.map(({ id }) => id)).toEqual(['sound'])
    expect(damaged).toEqual([ID])
    await store.remove(ID)
    expect((await store.all()).damaged).toEqual([])
  })

  it('has turns that cannot be played', async () => {
    const store = tab()
    await store.add(kept({}, 'Ed5ne Ed5ne'))
    expect(await failure(opened(store))).toMatchObject({ code: 'broken_game' })
  })
})

describe('a browser that keeps nothing', () => {
  afterEach(closeTabs)

  it('says that it is full, or that it may not', async () => {
    await freshBrowser()
    const store = tab()
    await store.add(kept())
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const at = await opened(store)
    expect(await failure(at.play('Ed5ne', 0))).toMatchObject({ code: 'storage_full' })
    expect(((await store.get(ID)) as SavedGame).turns).toEqual([])
    vi.restoreAllMocks()
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError')
    })
    expect(await failure(tab().all())).toMatchObject({ code: 'no_storage' })
  })
})
