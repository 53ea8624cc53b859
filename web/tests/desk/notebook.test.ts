import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, OFFLINE } from '../../src/api/client'
import { desk } from '../../src/api/desk'
import type { Notebook, NotebookRequest } from '../../src/api/model'
import { NotebookFile } from '../../src/desk/notebook.svelte'

/** A server that stores notebooks as the real one does; a test decides when it answers. */
class Server {
  stored: Notebook = { game: 'g', version: 0, note: '', tree: '' }
  saves: NotebookRequest[] = []
  failure: ApiError | null = null
  hold: Promise<void> | null = null

  load = (): Promise<Notebook> => (this.failure ? Promise.reject(this.failure) : Promise.resolve({ ...this.stored }))

  save = async (_game: string, { version = 0, note = null, tree = null }: NotebookRequest): Promise<Notebook> => {
    this.saves.push({ version, note, tree })
    if (this.failure) throw this.failure
    const wanted = { note: note ?? this.stored.note, tree: tree ?? this.stored.tree }
    const isSame = wanted.note === this.stored.note && wanted.tree === this.stored.tree
    if (version !== this.stored.version && !isSame) throw new ApiError(409, 'notebook_changed', '')
    if (version === this.stored.version) this.stored = { ...this.stored, ...wanted, version: version + 1 }
    const answer = { ...this.stored }
    await this.hold
    return answer
  }
}

let server: Server
const trees: string[] = []
const open = async (): Promise<NotebookFile> => {
  const file = new NotebookFile(
    'g',
    (mine, theirs) => `${theirs}+${mine}`,
    (tree) => trees.push(tree),
  )
  await file.load()
  return file
}
const pause = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000)

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  trees.length = 0
  server = new Server()
  vi.spyOn(desk, 'notebook').mockImplementation(server.load)
  vi.spyOn(desk, 'saveNotebook').mockImplementation(server.save)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a notebook', () => {
  it('saves after a pause, and only what has changed', async () => {
    const file = await open()
    file.setNote('o')
    file.setNote('one')
    expect(file.state).toBe('saving')
    await pause()
    expect(server.saves).toEqual([{ version: 0, note: 'one', tree: null }])
    expect(file.state).toBe('saved')
    file.close()
  })

  it('has one request on its way, and saves what was written meanwhile', async () => {
    const file = await open()
    let answer = (): void => undefined
    server.hold = new Promise((resolve) => (answer = resolve))
    file.setNote('one')
    await pause()
    file.setNote('one two')
    await pause()
    expect(server.saves).toHaveLength(1)
    answer()
    await pause()
    expect(server.stored.note).toBe('one two')
    expect(file.state).toBe('saved')
    file.close()
  })

  it('saves the last state when it is closed, even with a request on its way', async () => {
    const file = await open()
    let answer = (): void => undefined
    server.hold = new Promise((resolve) => (answer = resolve))
    file.setNote('one')
    await pause()
    file.setNote('one two')
    file.close()
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.stored.note).toBe('one two')
  })

  it('keeps what could not be saved, over a reload too', async () => {
    const file = await open()
    file.setNote('one')
    server.failure = new ApiError(0, OFFLINE, '')
    await pause()
    expect(file.state).toBe('waiting')
    file.close()
    server.failure = null
    const again = await open()
    expect(again.note).toBe('one')
    await pause()
    expect(server.stored.note).toBe('one')
    again.close()
  })

  it('takes over what another device has changed, and merges variations', async () => {
    const file = await open()
    server.stored = { ...server.stored, version: 7, note: 'theirs', tree: 'T' }
    file.setTree('M')
    await pause()
    await pause()
    expect([file.note, file.tree, trees.at(-1)]).toEqual(['theirs', 'T+M', 'T+M'])
    expect(server.stored).toMatchObject({ note: 'theirs', tree: 'T+M' })
    file.close()
  })

  it('asks which note to keep if both were changed, and loses none before', async () => {
    for (const keepsMine of [true, false]) {
      server.stored = { game: 'g', version: 0, note: '', tree: '' }
      const file = await open()
      server.stored = { ...server.stored, version: 7, note: 'theirs' }
      file.setNote('mine')
      await pause()
      expect([file.state, file.note, file.otherNote]).toEqual(['conflict', 'mine', 'theirs'])
      expect(server.stored.note).toBe('theirs')
      file.resolve(keepsMine)
      await pause()
      expect(server.stored.note).toBe(keepsMine ? 'mine' : 'theirs')
      expect(file.state).toBe('saved')
      file.close()
    }
  })

  it('says that it is too large', async () => {
    const file = await open()
    server.failure = new ApiError(413, 'too_large', '')
    file.setTree('much')
    await pause()
    expect(file.state).toBe('refused')
    file.close()
  })
})
