/**
 * What the browser keeps for this page, guarded: where site data is blocked the very name `localStorage` throws, and a
 * full disk refuses every write. What cannot be kept there is kept in memory, as long as the page is open. Lint sees to
 * it that nobody goes round this.
 */

/** The part of a browser's storage that the page uses. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  /** Keep a text; `false` says that it will not outlast the page. */
  setItem(key: string, value: string): unknown
  removeItem(key: string): void
}

export class GuardedStorage implements KeyValueStorage {
  /** What the browser did not take; null for what it did not let go of. */
  readonly #memory = new Map<string, string | null>()

  constructor(
    /** Asked each time, for the very question may throw. */
    readonly storage: () => Storage,
  ) {}

  getItem(key: string): string | null {
    const remembered = this.#memory.get(key)
    return remembered === undefined ? this.#tried((storage) => storage.getItem(key), null) : remembered
  }

  setItem(key: string, value: string): boolean {
    const kept = this.#tried((storage) => (storage.setItem(key, value), true), false)
    if (kept) this.#memory.delete(key)
    else this.#memory.set(key, value)
    return kept
  }

  removeItem(key: string): void {
    const removed = this.#tried((storage) => (storage.removeItem(key), true), false)
    if (removed) this.#memory.delete(key)
    else this.#memory.set(key, null)
  }

  /** The keys that begin with a text. */
  keys(beginning: string): string[] {
    const kept = this.#tried(
      (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ''),
      [],
    )
    const all = new Set([...kept, ...this.#memory.keys()])
    return [...all].filter((key) => key.startsWith(beginning) && this.#memory.get(key) !== null)
  }

  #tried<T>(work: (storage: Storage) => T, otherwise: T): T {
    try {
      return work(this.storage())
    } catch {
      return otherwise
    }
  }
}

/** Kept until somebody clears it, for all tabs. */
export const safeLocalStorage = new GuardedStorage(() => localStorage)

/** Kept as long as the tab is open. */
export const safeSessionStorage = new GuardedStorage(() => sessionStorage)

export type StorageReader = Pick<Storage, 'getItem'>
export type StorageWriter = Pick<Storage, 'setItem'>

/** What was noted, by name; nothing if there is no note, or none that can be read. */
export function readJson(storage: StorageReader, key: string): Readonly<Record<string, unknown>> {
  try {
    const noted: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    return typeof noted === 'object' && noted !== null ? (noted as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Note something; a browser that keeps nothing (private windows, full storage) goes on with what it has. */
export function writeJson(storage: StorageWriter, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Then it is as the first time when the page is opened again.
  }
}

/** The browser's database; null where there is none, or none for this page. */
export function database(): IDBFactory | null {
  return found(() => indexedDB)
}

/** Where the page may have itself kept; null where that cannot be. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  return found(() => navigator.serviceWorker)
}

/** What tells tabs from each other; null where nothing does. */
export function tabLocks(): LockManager | null {
  return found(() => navigator.locks)
}

/** Ask the browser not to forget what is kept here when it is short of room; it may say no. */
export async function persist(): Promise<void> {
  try {
    await navigator.storage.persist()
  } catch {
    // Then it stays what it is.
  }
}

function found<T>(ask: () => T | undefined): T | null {
  try {
    return ask() ?? null
  } catch {
    return null
  }
}
