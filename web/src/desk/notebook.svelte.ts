/**
 * The player's notes and variations in a game, saved while they are written: one request at a time, the last state
 * always, and again when the server is back. Until the server has them they are stored in the browser. What another
 * device has changed meanwhile is not overwritten.
 */
import { ApiError, isTemporary } from '../api/client'
import { onReconnect } from '../api/connection.svelte'
import { desk } from '../api/desk'
import type { Notebook } from '../api/model'
import { PrivateStorage } from '../browser/privateStorage'

/** How long nothing is written before it is saved. */
const PAUSE_MS = 900
const RETRY_MS = 8000

/** What is not saved yet. */
interface Draft {
  readonly at: number
  /** What is based on it was stored at this version. */
  readonly base: Pick<Notebook, 'note' | 'tree' | 'version'>
  /** Null if only the other has changed. */
  readonly note: string | null
  readonly tree: string | null
}

const isText = (value: unknown): boolean => typeof value === 'string'
const drafts = new PrivateStorage<Draft>(
  'notebook',
  ({ base, note, tree }) =>
    typeof base === 'object' &&
    isText(base.note) &&
    isText(base.tree) &&
    Number.isSafeInteger(base.version) &&
    (note === null || isText(note)) &&
    (tree === null || isText(tree)),
)

export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused' | 'conflict'

export class NotebookFile {
  note = $state('')
  /** The record of the variations; empty without any. */
  tree = $state('')
  state: SaveState = $state('saved')
  /** The note of another device, if both were changed. */
  otherNote: string | null = $state(null)
  isLoaded = $state(false)
  #base: Draft['base'] = { note: '', tree: '', version: 0 }
  /** What differs from what is stored. */
  #isNoteChanged = false
  #isTreeChanged = false
  #isSending = false
  #isClosed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #unsubscribe: () => void

  constructor(
    readonly game: string,
    /** Returns two records as one: what two devices have added. */
    readonly merge: (mine: string, theirs: string) => string,
    /** Called when the variations were changed by another device. */
    readonly onTree: (tree: string) => void,
  ) {
    this.#unsubscribe = onReconnect(() => void this.#save())
  }

  /** Load what is stored, and what was not saved when the page was left. Throws ApiError. */
  async load(): Promise<void> {
    const stored = await desk.notebook(this.game)
    const draft = drafts.read(this.game)
    this.#base = draft?.base ?? stored
    this.note = draft?.note ?? this.#base.note
    this.tree = draft?.tree ?? this.#base.tree
    this.#isNoteChanged = draft?.note !== undefined && draft.note !== null
    this.#isTreeChanged = draft?.tree !== undefined && draft.tree !== null
    if (draft) {
      this.#adopt(stored)
      this.#schedule(0)
    }
    this.isLoaded = true
  }

  /** Save at once: the page may be gone soon. */
  flush(): void {
    clearTimeout(this.#timer)
    void this.#save()
  }

  /** Save, and end. What cannot be saved now stays in the browser. */
  close(): void {
    this.#unsubscribe()
    this.flush()
    this.#isClosed = true
  }

  setNote(note: string): void {
    if (note === this.note) return
    this.note = note
    this.#isNoteChanged = true
    this.#onChange()
  }

  setTree(tree: string): void {
    if (tree === this.tree) return
    this.tree = tree
    this.#isTreeChanged = true
    this.#onChange()
  }

  /** Decide between two notes: the player's own, or that of the other device. */
  resolve(keepsMine: boolean): void {
    if (this.otherNote === null) return
    if (!keepsMine) this.note = this.otherNote
    this.#isNoteChanged = keepsMine
    this.otherNote = null
    this.#onChange()
  }

  #onChange(): void {
    this.#storeDraft()
    if (this.otherNote !== null) return
    this.state = 'saving'
    this.#schedule(PAUSE_MS)
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#save(), milliseconds)
  }

  #storeDraft(): void {
    if (!this.#isNoteChanged && !this.#isTreeChanged) return drafts.remove(this.game)
    drafts.write(this.game, {
      at: Date.now(),
      base: this.#base,
      note: this.#isNoteChanged ? this.note : null,
      tree: this.#isTreeChanged ? this.tree : null,
    })
  }

  async #save(): Promise<void> {
    if (this.#isSending || this.otherNote !== null) return
    const note = this.#isNoteChanged ? this.note : null
    const tree = this.#isTreeChanged ? this.tree : null
    if (note === null && tree === null) {
      this.state = 'saved'
      return this.#storeDraft()
    }
    this.#isSending = true
    this.state = 'saving'
    try {
      const stored = await desk.saveNotebook(this.game, { version: this.#base.version, note, tree })
      // What was written meanwhile is saved next.
      if (this.note === note) this.#isNoteChanged = false
      if (this.tree === tree) this.#isTreeChanged = false
      this.#base = { note: stored.note, tree: stored.tree, version: stored.version }
      this.#storeDraft()
      this.state = this.#isNoteChanged || this.#isTreeChanged ? 'saving' : 'saved'
    } catch (error) {
      return await this.#onFailure(error)
    } finally {
      this.#isSending = false
    }
    if (this.state === 'saved') return
    if (this.#isClosed) return this.#save()
    this.#schedule(PAUSE_MS)
  }

  async #onFailure(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'notebook_changed') {
      try {
        this.#adopt(await desk.notebook(this.game))
        return this.#schedule(0)
      } catch (loadError) {
        if (!(loadError instanceof ApiError)) throw loadError
      }
    } else if (!isTemporary(error) && error.status !== 429) {
      this.state = 'refused'
      return
    }
    this.state = 'waiting'
    this.#schedule(RETRY_MS)
  }

  /** Take over what another device has stored since, next to what was changed here. */
  #adopt(stored: Notebook): void {
    const { note, tree } = this.#base
    if (stored.tree !== tree) {
      this.tree = this.#isTreeChanged ? this.merge(this.tree, stored.tree) : stored.tree
      this.onTree(this.tree)
    }
    if (stored.note !== note) {
      if (!this.#isNoteChanged || stored.note === this.note) {
        this.note = stored.note
        this.#isNoteChanged = false
      } else {
        this.otherNote = stored.note
        this.state = 'conflict'
      }
    }
    this.#base = { note: stored.note, tree: stored.tree, version: stored.version }
    this.#storeDraft()
  }
}
