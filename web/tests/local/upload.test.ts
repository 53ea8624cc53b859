/** Games are given to the server once each, whatever gets lost on the way. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/client'
import type { NewGame } from '../../src/api/model'
import type { GameStore } from '../../src/local/gameStore'
import type { SavedGame } from '../../src/local/savedGame'
import { uploadAll, type UploadServer } from '../../src/local/upload'
import { closeTabs, ENGINE, freshBrowser, ID, kept, opened, remark, tab } from './tabs'

/** A server that makes one game of a key, as the real one does. */
class FakeServer implements UploadServer {
  readonly games = new Map<string, Partial<NewGame>>()
  readonly keys = new Map<string, { id: string; body: string }>()
  /** Called when a game is made, before that is answered. */
  meanwhile: () => Promise<unknown> = async () => undefined
  refuse: ApiError | null = null
  readonly reviews = new Map<string, { nodes: number; turns: readonly unknown[] }>()
  refuseReview: ApiError | null = null

  async saveReview(game: string, nodes: number, { turns }: { turns: readonly unknown[] }): Promise<void> {
    if (this.refuseReview) throw this.refuseReview
    this.reviews.set(game, { nodes, turns })
  }

  async create(wanted: Partial<NewGame>, key: string): Promise<{ id: string; revision: number }> {
    if (this.refuse) throw this.refuse
    const known = this.keys.get(key)
    const body = JSON.stringify(wanted)
    if (known && known.body !== body) throw new ApiError(409, 'key_reused', 'another wish')
    if (known && !this.games.has(known.id)) throw new ApiError(404, 'unknown_game', 'deleted')
    const id = known?.id ?? `g${this.keys.size}`
    if (!known) {
      this.keys.set(key, { id, body })
      this.games.set(id, wanted)
    }
    await this.meanwhile()
    return { id, revision: 1 }
  }

  async remove(id: string): Promise<void> {
    if (!this.games.delete(id)) throw new ApiError(404, 'unknown_game', 'deleted')
  }
}

const lost = async (): Promise<never> => {
  throw new ApiError(0, 'offline', 'the answer got lost')
}
const nothing = async (): Promise<void> => undefined

describe('games of this browser', () => {
  let store: GameStore
  let server: FakeServer
  beforeEach(async () => {
    await freshBrowser()
    store = tab()
    server = new FakeServer()
  })
  afterEach(closeTabs)

  const handed = async (id = ID) => ((await store.get(id)) as unknown as { handed?: unknown }).handed

  it('are given with their seats, running and finished ones', async () => {
    await store.add(kept({ seats: { w: ENGINE, b: { type: 'person', name: 'Bo', level: null } } }, 'Ed5ne Tl10n'))
    const end = { outcome: { winner: 'b', reason: 'resignation' } as const }
    await store.add(kept({ id: 'over', start: 'basic w', ...end }, 'Ed5ne'))
    expect(await uploadAll(store, server)).toBeNull()
    const [over, running] = [...server.keys.keys()].sort().reverse()
    expect([over, running]).toEqual(['over', ID])
    expect([...server.games.values()]).toContainEqual({
      record: expect.stringContaining('1. Ed5ne Tl10n *'),
      seats: { w: ENGINE, b: { type: 'person', name: 'Bo', level: null } },
    })
    expect(JSON.stringify([...server.games.values()])).toContain('Termination \\"resignation\\"')
    expect((await store.all()).games).toEqual([])
    expect(await handed()).toMatchObject({ revision: 1 })
    expect(await uploadAll(store, server)).toBeNull()
    expect(server.games.size).toBe(2)
  })

  it('are one game though the answer gets lost, and two tabs try', async () => {
    await store.add(kept({}, 'Ed5ne'))
    server.meanwhile = lost
    expect(await uploadAll(store, server)).toMatchObject({ code: 'offline' })
    expect((await store.all()).games).toHaveLength(1)
    server.meanwhile = nothing
    expect(await Promise.all([uploadAll(store, server), uploadAll(tab(), server)])).toEqual([null, null])
    expect(server.games.size).toBe(1)
    expect(await handed()).toEqual({ id: 'g0', revision: 1 })
  })

  it('are one game though it went on after the answer got lost', async () => {
    await store.add(kept({}, 'Ed5ne'))
    server.meanwhile = lost
    await uploadAll(store, server)
    await (await opened(store)).play('Tl10n', 1)
    server.meanwhile = nothing
    expect(await uploadAll(store, server)).toBeNull()
    expect([...server.games]).toEqual([['g1', expect.objectContaining({ record: expect.stringContaining('Tl10n') })]])
    expect(await handed()).toEqual({ id: 'g1', revision: 1 })
  })

  it('are one game though it goes on while it is under way', async () => {
    await store.add(kept({}, 'Ed5ne'))
    const at = await opened(tab())
    server.meanwhile = async () => {
      server.meanwhile = nothing
      await at.play('Tl10n', 1)
    }
    expect(await uploadAll(store, server)).toBeNull()
    expect([...server.games.values()]).toEqual([
      expect.objectContaining({ record: expect.stringContaining('Ed5ne Tl10n') }),
    ])
  })

  it('are gone here too if the server made one and somebody deleted it there', async () => {
    await store.add(kept({}, 'Ed5ne'))
    server.meanwhile = lost
    await uploadAll(store, server)
    server.games.clear()
    server.meanwhile = nothing
    expect(await uploadAll(store, server)).toBeNull()
    expect(await store.get(ID)).toBeNull()
    expect(server.games.size).toBe(0)
  })

  it('are one game though the server was asked to begin it and its answer got lost', async () => {
    const body = { rules: 'standard', seats: { w: ENGINE, b: ENGINE } } as const
    const sent = { key: 'asked', times: 0, revision: 1, body }
    for (const id of ['still', 'on', 'never'])
      await store.add(kept({ id, sent: { ...sent, key: `asked-${id}` } }, id === 'still' ? '' : 'Ed5ne'))
    await server.create(body, 'asked-still')
    await server.create(body, 'asked-on')
    for (const id of ['on', 'never']) await (await opened(store, id)).play('Tl10n', 1)
    expect(await uploadAll(store, server)).toBeNull()
    expect(await handed('still')).toEqual({ id: 'g0', revision: 1 })
    expect([...server.games.values()].map(({ record }) => record?.includes('Tl10n') ?? false)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('take their reviews with them, as soon as the server has both', async () => {
    const turns = [remark(0, 'Ed5ne')]
    await store.add(kept({}, 'Ed5ne'))
    await store.saveReview({ id: ID, nodes: 20, start: 0.5, turns })
    server.refuseReview = new ApiError(429, 'too_many', 'enough')
    expect(await uploadAll(store, server)).toBe(server.refuseReview)
    expect(await handed()).toEqual({ id: 'g0', revision: 1 })
    server.refuseReview = null
    expect(await uploadAll(store, server)).toBeNull()
    expect([...server.reviews]).toEqual([['g0', { nodes: 20, turns }]])
    expect(await store.reviews()).toEqual([])
  })

  it('lose a review that the server does not want, or whose game is gone', async () => {
    await store.add(kept({}, 'Ed5ne'))
    await store.saveReview({ id: ID, nodes: 20, start: 0.5, turns: [] })
    await store.saveReview({ id: 'gone', nodes: 20, start: 0.5, turns: [] })
    server.refuseReview = new ApiError(422, 'invalid_review', 'of another game')
    expect(await uploadAll(store, server)).toBeNull()
    expect(await store.reviews()).toEqual([])
  })

  it('stay where they are when the server refuses, and the next ones are tried unless it has enough', async () => {
    await store.add(kept())
    await store.add(kept({ id: 'other' }))
    server.refuse = new ApiError(422, 'invalid_record', 'no')
    expect(await uploadAll(store, server)).toBe(server.refuse)
    expect((await store.all()).games.map(({ sent }: SavedGame) => sent?.times)).toEqual([0, 0])
    server.refuse = new ApiError(429, 'too_many', 'enough')
    expect(await uploadAll(store, server)).toBe(server.refuse)
    server.refuse = null
    await uploadAll(store, server)
    expect(server.games.size).toBe(2)
  })
})
