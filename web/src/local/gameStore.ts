/**
 * The games in this browser: IndexedDB, one entry a game, and one for its review if it has one. A change names the
 * revision it was made from, so that of two tabs the later one gets a conflict; and every tab is notified.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { ApiError } from '../api/client'
import { DATABASE } from './database'
import {
  validateGame,
  isUploaded,
  type SavedGame,
  type StoredGame,
  type UploadAttempt,
  type UploadedGame,
} from './savedGame'
import { validateReview, type SavedReview } from './savedReview'

const GAMES = 'games'
const REVIEWS = 'reviews'
/** On the disk, not only on its way there, before a move counts as played. */
const STRICT_DURABILITY = { durability: 'strict' } as const

interface Schema extends DBSchema {
  [GAMES]: { key: string; value: StoredGame }
  [REVIEWS]: { key: string; value: SavedReview }
}

/** Another tab has changed the game meanwhile. */
export class RevisionConflict extends Error {}

/** The error of a browser whose storage is full or blocked. */
function storageError(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof RevisionConflict) return error
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
  if (isFull) return new ApiError(507, 'storage_full', 'The browser has no room left.')
  return new ApiError(507, 'no_storage', 'The browser keeps nothing.')
}

export class GameStore {
  #database: Promise<IDBPDatabase<Schema>> | null = null
  readonly #listeners = new Set<(id: string) => void>()
  readonly #otherTabs: BroadcastChannel | null =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('punct.games')

  constructor() {
    if (this.#otherTabs)
      this.#otherTabs.onmessage = ({ data }: MessageEvent<unknown>) => this.#notifyListeners(String(data))
  }

  /** Call a listener with the id of every game that changes, in whichever tab; returns the unsubscribe function. */
  subscribe(listener: (id: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The stored game, if there is one; throws where it is damaged. */
  async get(id: string): Promise<StoredGame | null> {
    const stored = await this.#with((db) => db.get(GAMES, id))
    return stored === undefined ? null : validateGame(id, stored)
  }

  /** All games that are not yet uploaded, the last changed first; and the ids of damaged ones. */
  async all(): Promise<{ games: SavedGame[]; damaged: string[] }> {
    const games: SavedGame[] = []
    const damaged: string[] = []
    const [ids, stored] = await this.#with(async (db) => {
      const { store } = db.transaction(GAMES)
      return Promise.all([store.getAllKeys(), store.getAll()])
    })
    ids.forEach((id, index) => {
      try {
        const game = validateGame(id, stored[index])
        if (!isUploaded(game)) games.push(game)
      } catch {
        damaged.push(id)
      }
    })
    games.sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))
    return { games, damaged }
  }

  async add(game: SavedGame): Promise<void> {
    await this.#transact(async (games) => void (await games.add(game)))
    this.#notify(game.id)
  }

  /** Store a game's next revision, made from this one. */
  async change(next: SavedGame, revision: number): Promise<void> {
    await this.#transact(async (games) => {
      const current = await getAtRevision(games, next.id, revision)
      // The upload attempt is not changed by moves.
      await games.put({ ...next, sent: current.sent })
    })
    this.#notify(next.id)
  }

  /** Store how a game is about to be uploaded. */
  async markUpload(id: string, attempt: UploadAttempt): Promise<void> {
    await this.#transact(async (games) => {
      const current = await getAtRevision(games, id, attempt.revision)
      await games.put({ ...current, sent: attempt })
    })
  }

  /** Replace an uploaded game by its id on the server. */
  async markUploaded(id: string, revision: number, handed: UploadedGame['handed']): Promise<void> {
    await this.#transact(async (games) => {
      await getAtRevision(games, id, revision)
      await games.put({ id, handed })
    })
    this.#notify(id)
  }

  /** Delete a game and its review. */
  async remove(id: string): Promise<void> {
    await this.#transact(async (games, reviews) => void (await Promise.all([games.delete(id), reviews.delete(id)])))
    this.#notify(id)
  }

  /** The review of a game, if there is one that can be read. */
  async review(id: string): Promise<SavedReview | null> {
    return validateReview(await this.#with((db) => db.get(REVIEWS, id)))
  }

  /** All readable reviews, also of uploaded games. */
  async reviews(): Promise<SavedReview[]> {
    return (await this.#with((db) => db.getAll(REVIEWS))).flatMap((stored) => validateReview(stored) ?? [])
  }

  async saveReview(review: SavedReview): Promise<void> {
    await this.#transact((_, reviews) => reviews.put(review))
  }

  async removeReview(id: string): Promise<void> {
    await this.#transact((_, reviews) => reviews.delete(id))
  }

  /** Close the database and the channel: as when the page is closed. */
  async close(): Promise<void> {
    this.#otherTabs?.close()
    const db = await this.#database?.catch(() => null)
    db?.close()
  }

  /** Run one transaction, whole or not at all. */
  #transact<T>(work: (games: ObjectStore<StoredGame>, reviews: ObjectStore<SavedReview>) => Promise<T>): Promise<T> {
    return this.#with(async (db) => {
      const transaction = db.transaction([GAMES, REVIEWS], 'readwrite', STRICT_DURABILITY)
      const done = transaction.done
      try {
        const [result] = await Promise.all([
          work(transaction.objectStore(GAMES), transaction.objectStore(REVIEWS)),
          done,
        ])
        return result
      } catch (error) {
        done.catch(() => undefined)
        try {
          transaction.abort()
        } catch {
          // It has ended by itself.
        }
        throw error
      }
    })
  }

  async #with<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      this.#database ??= this.#openDatabase()
      return await work(await this.#database)
    } catch (error) {
      throw storageError(error)
    }
  }

  #openDatabase(): Promise<IDBPDatabase<Schema>> {
    const reset = (): void => void (this.#database = null)
    const database = openDB<Schema>(DATABASE, 2, {
      upgrade: (db, oldVersion) => {
        if (oldVersion < 1) db.createObjectStore(GAMES, { keyPath: 'id' })
        if (oldVersion < 2) db.createObjectStore(REVIEWS, { keyPath: 'id' })
      },
      // A newer page in another tab upgrades the database: the next access opens it anew.
      blocking: () => void database.then((db) => (db.close(), reset())),
      terminated: reset,
    })
    database.catch(reset)
    return database
  }

  #notify(id: string): void {
    this.#otherTabs?.postMessage(id)
    this.#notifyListeners(id)
  }

  #notifyListeners(id: string): void {
    for (const listener of [...this.#listeners]) listener(id)
  }
}

/** The part of an object store that transactions use. */
interface ObjectStore<T> {
  get(id: string): Promise<unknown>
  add(value: T): Promise<unknown>
  put(value: T): Promise<unknown>
  delete(id: string): Promise<void>
}

/** A game at a stated revision, to be changed within one transaction. */
async function getAtRevision(games: ObjectStore<StoredGame>, id: string, revision: number): Promise<SavedGame> {
  const stored = await games.get(id)
  const game = stored === undefined ? null : validateGame(id, stored)
  if (!game || isUploaded(game) || game.revision !== revision) throw new RevisionConflict()
  return game
}
