/**
 * The games in this browser: IndexedDB, one entry a game, and one for its review if it has one. A change says which
 * revision it was made of, so that of two tabs the later one is told; and every tab hears of it.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { ApiError } from '../api/client'
import { DATABASE } from './database'
import {
  checkedGame,
  isUploaded,
  type SavedGame,
  type StoredGame,
  type UploadAttempt,
  type UploadedGame,
} from './savedGame'
import { checkedReview, type SavedReview } from './savedReview'

const GAMES = 'games'
const REVIEWS = 'reviews'
/** On the disk, not only on its way there, before a turn counts as played. */
const SAFELY = { durability: 'strict' } as const

interface Tables extends DBSchema {
  [GAMES]: { key: string; value: StoredGame }
  [REVIEWS]: { key: string; value: SavedReview }
}

/** Somebody else has changed a game meanwhile. */
export class RevisionConflict extends Error {}

/** What a browser does that keeps nothing more, or nothing at all. */
function refusal(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof RevisionConflict) return error
  const full = error instanceof DOMException && error.name === 'QuotaExceededError'
  if (full) return new ApiError(507, 'storage_full', 'The browser has no room left.')
  return new ApiError(507, 'no_storage', 'The browser keeps nothing.')
}

export class GameStore {
  #open: Promise<IDBPDatabase<Tables>> | null = null
  readonly #listeners = new Set<(id: string) => void>()
  readonly #others: BroadcastChannel | null =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('punct.games')

  constructor() {
    if (this.#others) this.#others.onmessage = ({ data }: MessageEvent<unknown>) => this.#heard(String(data))
  }

  /** Have a function called with the id of every game that changes, in whichever tab; returns how to stop that. */
  hear(listener: (id: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What is stored under an id, if anything is; throws where that is damaged. */
  async get(id: string): Promise<StoredGame | null> {
    const stored = await this.#with((db) => db.get(GAMES, id))
    return stored === undefined ? null : checkedGame(id, stored)
  }

  /** All games that are still kept here, the last changed first; and the ids of what is damaged. */
  async all(): Promise<{ games: SavedGame[]; damaged: string[] }> {
    const games: SavedGame[] = []
    const damaged: string[] = []
    const [ids, stored] = await this.#with(async (db) => {
      const { store } = db.transaction(GAMES)
      return Promise.all([store.getAllKeys(), store.getAll()])
    })
    ids.forEach((id, index) => {
      try {
        const found = checkedGame(id, stored[index])
        if (!isUploaded(found)) games.push(found)
      } catch {
        damaged.push(id)
      }
    })
    games.sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))
    return { games, damaged }
  }

  async add(game: SavedGame): Promise<void> {
    await this.#within(async (games) => void (await games.add(game)))
    this.#tell(game.id)
  }

  /** Store a game's next revision, made of this one. */
  async change(next: SavedGame, revision: number): Promise<void> {
    await this.#within(async (games) => {
      const current = await kept(games, next.id, revision)
      // How it was sent is not for those to say who play.
      await games.put({ ...next, sent: current.sent })
    })
    this.#tell(next.id)
  }

  /** Note how a game is about to be sent. */
  async mark(id: string, sent: UploadAttempt): Promise<void> {
    await this.#within(async (games) => {
      const current = await kept(games, id, sent.revision)
      await games.put({ ...current, sent })
    })
  }

  /** The server keeps this revision of a game now: all that is left here is where. */
  async hand(id: string, revision: number, handed: UploadedGame['handed']): Promise<void> {
    await this.#within(async (games) => {
      await kept(games, id, revision)
      await games.put({ id, handed })
    })
    this.#tell(id)
  }

  /** Forget a game, and what was said about it. */
  async remove(id: string): Promise<void> {
    await this.#within(async (games, reviews) => void (await Promise.all([games.delete(id), reviews.delete(id)])))
    this.#tell(id)
  }

  /** The review of a game, if there is one that can be read. */
  async review(id: string): Promise<SavedReview | null> {
    return checkedReview(await this.#with((db) => db.get(REVIEWS, id)))
  }

  /** All reviews that can be read, also of games that the server keeps now. */
  async reviews(): Promise<SavedReview[]> {
    return (await this.#with((db) => db.getAll(REVIEWS))).flatMap((stored) => checkedReview(stored) ?? [])
  }

  async keepReview(review: SavedReview): Promise<void> {
    await this.#within((_, reviews) => reviews.put(review))
  }

  async dropReview(id: string): Promise<void> {
    await this.#within((_, reviews) => reviews.delete(id))
  }

  /** Let go of everything: as when the page is closed. */
  async close(): Promise<void> {
    this.#others?.close()
    const db = await this.#open?.catch(() => null)
    db?.close()
  }

  /** One change, whole or not at all. */
  #within<T>(work: (games: Table<StoredGame>, reviews: Table<SavedReview>) => Promise<T>): Promise<T> {
    return this.#with(async (db) => {
      const change = db.transaction([GAMES, REVIEWS], 'readwrite', SAFELY)
      const done = change.done
      try {
        const [result] = await Promise.all([work(change.objectStore(GAMES), change.objectStore(REVIEWS)), done])
        return result
      } catch (error) {
        done.catch(() => undefined)
        try {
          change.abort()
        } catch {
          // It has ended by itself.
        }
        throw error
      }
    })
  }

  async #with<T>(work: (db: IDBPDatabase<Tables>) => Promise<T>): Promise<T> {
    try {
      this.#open ??= this.#opened()
      return await work(await this.#open)
    } catch (error) {
      throw refusal(error)
    }
  }

  #opened(): Promise<IDBPDatabase<Tables>> {
    const forget = (): void => void (this.#open = null)
    const opened = openDB<Tables>(DATABASE, 2, {
      upgrade: (db, before) => {
        if (before < 1) db.createObjectStore(GAMES, { keyPath: 'id' })
        if (before < 2) db.createObjectStore(REVIEWS, { keyPath: 'id' })
      },
      // A newer page in another tab needs the place: the next question opens it anew.
      blocking: () => void opened.then((db) => (db.close(), forget())),
      terminated: forget,
    })
    opened.catch(forget)
    return opened
  }

  #tell(id: string): void {
    this.#others?.postMessage(id)
    this.#heard(id)
  }

  #heard(id: string): void {
    for (const listener of [...this.#listeners]) listener(id)
  }
}

/** What a change does with one kind of things. */
interface Table<T> {
  get(id: string): Promise<unknown>
  add(thing: T): Promise<unknown>
  put(thing: T): Promise<unknown>
  delete(id: string): Promise<void>
}

/** A game at a stated revision, to be changed within one transaction. */
async function kept(games: Table<StoredGame>, id: string, revision: number): Promise<SavedGame> {
  const stored = await games.get(id)
  const found = stored === undefined ? null : checkedGame(id, stored)
  if (!found || isUploaded(found) || found.revision !== revision) throw new RevisionConflict()
  return found
}
