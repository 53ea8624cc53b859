/** A note in the browser that is worth something: one that cannot be read is put aside, and said. */
import type { KeyValueStorage } from './storage'

export class StoredValue<T> {
  /** The note that was here could not be read. */
  broken = $state(false)

  constructor(
    readonly key: string,
    /** What a note says; null where it makes no sense. */
    readonly sense: (noted: unknown) => T | null,
    readonly storage: KeyValueStorage,
  ) {}

  /** What was noted, by another tab too; null where nothing was. */
  read(): T | null {
    let noted: string | null
    try {
      noted = this.storage.getItem(this.key)
    } catch {
      // A browser that keeps nothing begins anew each time.
      return null
    }
    if (noted === null) return null
    const said = this.#understood(noted)
    if (said === null) this.#putAside(noted)
    return said
  }

  /** Note something else; returns whether it is kept. */
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
      // Nothing was kept.
    }
  }

  #understood(noted: string): T | null {
    try {
      return this.sense(JSON.parse(noted))
    } catch {
      return null
    }
  }

  /** For whoever can still make something of it. */
  #putAside(noted: string): void {
    this.broken = true
    try {
      this.storage.setItem(`${this.key}.broken`, noted)
      this.storage.removeItem(this.key)
    } catch {
      // The next one who notes something overwrites it.
    }
  }
}
