/**
 * Browser storage for data about a person's own games: it outlasts a reload, is bounded in size, and is removed when
 * another person logs in. Invalid data is removed too.
 */
import { safeLocalStorage } from './storage'

const PREFIX = 'punct.private.'
/** The size of all values of one kind together, in characters; the oldest are removed first. */
export const MAX_CHARACTERS = 1_000_000

interface Dated {
  /** When the value was stored, in milliseconds since 1970. */
  readonly at: number
}

export class PrivateStorage<T extends Dated> {
  readonly #prefix: string

  constructor(
    kind: string,
    /** Whether a stored value has the right shape. */
    readonly isValid: (value: Partial<T>) => boolean,
    readonly maxCharacters = MAX_CHARACTERS,
  ) {
    this.#prefix = `${PREFIX}${kind}.`
  }

  read(id: string): T | null {
    const text = safeLocalStorage.getItem(this.#prefix + id)
    if (text === null) return null
    const value = parseObject(text) as Partial<T> | null
    if (value !== null && Number.isFinite(value.at) && this.isValid(value)) return value as T
    this.remove(id)
    return null
  }

  /** Store a value; one that is too large only removes the one stored before. */
  write(id: string, value: T): void {
    const text = JSON.stringify(value)
    if (text.length > this.maxCharacters) return this.remove(id)
    this.#evictOldest(id, text.length)
    safeLocalStorage.setItem(this.#prefix + id, text)
  }

  remove(id: string): void {
    safeLocalStorage.removeItem(this.#prefix + id)
  }

  ids(): string[] {
    return safeLocalStorage.keys(this.#prefix).map((key) => key.slice(this.#prefix.length))
  }

  #evictOldest(id: string, size: number): void {
    const others = this.ids()
      .filter((other) => other !== id)
      .map((other) => {
        const text = safeLocalStorage.getItem(this.#prefix + other) ?? ''
        return { id: other, size: text.length, at: Number((parseObject(text) as Partial<Dated> | null)?.at) || 0 }
      })
      .sort((a, b) => b.at - a.at)
    let sum = size
    for (const other of others) {
      sum += other.size
      if (sum > this.maxCharacters) this.remove(other.id)
    }
  }
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const OWNER = 'punct.person'

/** Set whose data is stored, by player id or null; the data of anybody else is removed. */
export function setStorageOwner(id: string | null): void {
  const owner = id ?? ''
  const previous = safeLocalStorage.getItem(OWNER)
  if (previous !== null && previous !== owner)
    for (const key of safeLocalStorage.keys(PREFIX)) safeLocalStorage.removeItem(key)
  if (previous !== owner) safeLocalStorage.setItem(OWNER, owner)
}
