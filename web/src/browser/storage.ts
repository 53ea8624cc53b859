/**
 * The browser's storage, guarded: where site data is blocked the very name `localStorage` throws, and a full disk
 * refuses every write. What cannot be stored stays in memory as long as the page is open. A lint rule forbids the
 * globals elsewhere.
 */

/** The part of a browser's storage that the page uses. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  /** Store a text; `false` says that it will not outlast the page. */
  setItem(key: string, value: string): unknown
  removeItem(key: string): void
}

export class GuardedStorage implements KeyValueStorage {
  /** What the browser did not store; null for what it did not remove. */
  readonly #memory = new Map<string, string | null>()

  constructor(
    /** Called each time, as the very access may throw. */
    readonly storage: () => Storage,
  ) {}

  getItem(key: string): string | null {
    const override = this.#memory.get(key)
    return override === undefined ? this.#attempt((storage) => storage.getItem(key), null) : override
  }

  setItem(key: string, value: string): boolean {
    const isStored = this.#attempt((storage) => (storage.setItem(key, value), true), false)
    if (isStored) this.#memory.delete(key)
    else this.#memory.set(key, value)
    return isStored
  }

  removeItem(key: string): void {
    const isRemoved = this.#attempt((storage) => (storage.removeItem(key), true), false)
    if (isRemoved) this.#memory.delete(key)
    else this.#memory.set(key, null)
  }

  /** The keys with a prefix. */
  keys(prefix: string): string[] {
    const storedKeys = this.#attempt(
      (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ''),
      [],
    )
    const all = new Set([...storedKeys, ...this.#memory.keys()])
    return [...all].filter((key) => key.startsWith(prefix) && this.#memory.get(key) !== null)
  }

  #attempt<T>(action: (storage: Storage) => T, fallback: T): T {
    try {
      return action(this.storage())
    } catch {
      return fallback
    }
  }
}

/** Lasts until somebody clears it, for all tabs. */
export const safeLocalStorage = new GuardedStorage(() => localStorage)

/** Lasts as long as the tab is open. */
export const safeSessionStorage = new GuardedStorage(() => sessionStorage)

export type StorageReader = Pick<Storage, 'getItem'>
export type StorageWriter = Pick<Storage, 'setItem'>

/** Read a stored object; an empty one if there is none, or none that can be read. */
export function readJson(storage: StorageReader, key: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Store an object; where the browser stores nothing (private windows, full storage) the page goes on without. */
export function writeJson(storage: StorageWriter, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // The next page load starts with defaults.
  }
}

/** The browser's database; null where there is none, or none for this page. */
export function database(): IDBFactory | null {
  return orNull(() => indexedDB)
}

/** The service workers; null where the browser has none. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  return orNull(() => navigator.serviceWorker)
}

/** Locks shared by tabs; null where the browser has none. */
export function tabLocks(): LockManager | null {
  return orNull(() => navigator.locks)
}

/** The caches that pages share with the service worker; null where the browser has none. */
export function sharedCaches(): CacheStorage | null {
  return orNull(() => caches)
}

/** Ask the browser not to evict this page's data when it is short of space; it may refuse. */
export async function persist(): Promise<void> {
  try {
    await navigator.storage.persist()
  } catch {
    // Then it may be evicted.
  }
}

function orNull<T>(access: () => T | undefined): T | null {
  try {
    return access() ?? null
  } catch {
    return null
  }
}
