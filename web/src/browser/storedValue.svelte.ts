/** A valuable value in the browser's storage: one that cannot be read is quarantined, and the page says so. */
import type { KeyValueStorage } from './storage'

export class StoredValue<T> {
  /** Whether the stored value could not be read. */
  isBroken = $state(false)

  constructor(
    readonly key: string,
    /** Parses the stored JSON; null where it is invalid. */
    readonly parse: (json: unknown) => T | null,
    readonly storage: KeyValueStorage,
  ) {}

  /** Read the value, by another tab's write too; null where there is none. */
  read(): T | null {
    let text: string | null
    try {
      text = this.storage.getItem(this.key)
    } catch {
      // A browser that stores nothing starts anew each time.
      return null
    }
    if (text === null) return null
    const value = this.#parse(text)
    if (value === null) this.#quarantine(text)
    return value
  }

  /** Store a value; returns whether it was stored. */
  write(value: T): boolean {
    try {
      return this.storage.setItem(this.key, JSON.stringify(value)) !== false
    } catch {
      // Full, or not allowed: it lasts as long as the page.
      return false
    }
  }

  clear(): void {
    try {
      this.storage.removeItem(this.key)
    } catch {
      // Nothing was stored.
    }
  }

  #parse(text: string): T | null {
    try {
      return this.parse(JSON.parse(text))
    } catch {
      return null
    }
  }

  /** Store the text under another key, for whoever can still make something of it. */
  #quarantine(text: string): void {
    this.isBroken = true
    try {
      this.storage.setItem(`${this.key}.broken`, text)
      this.storage.removeItem(this.key)
    } catch {
      // The next write overwrites it.
    }
  }
}
