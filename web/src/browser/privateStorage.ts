/**
 * Notes about somebody's own games: kept over a reload, bounded by size, and forgotten when another person is here.
 * What makes no sense is forgotten too.
 */
import { safeLocalStorage } from './storage'

const BEGINNING = 'punct.private.'
/** How many letters all notes of one kind may have together; the oldest go first. */
export const MAX_LETTERS = 1_000_000

interface Dated {
  /** When it was noted, in milliseconds since 1970. */
  readonly at: number
}

export class PrivateStorage<T extends Dated> {
  readonly #beginning: string

  constructor(
    kind: string,
    /** Whether a note is one. */
    readonly makesSense: (noted: Partial<T>) => boolean,
    readonly maxLetters = MAX_LETTERS,
  ) {
    this.#beginning = `${BEGINNING}${kind}.`
  }

  read(id: string): T | null {
    const text = safeLocalStorage.getItem(this.#beginning + id)
    if (text === null) return null
    const noted = understood(text) as Partial<T> | null
    if (noted !== null && Number.isFinite(noted.at) && this.makesSense(noted)) return noted as T
    this.forget(id)
    return null
  }

  /** Note something; what is too large is not kept, nor what was noted before. */
  write(id: string, value: T): void {
    const text = JSON.stringify(value)
    if (text.length > this.maxLetters) return this.forget(id)
    this.#makeRoom(id, text.length)
    safeLocalStorage.setItem(this.#beginning + id, text)
  }

  forget(id: string): void {
    safeLocalStorage.removeItem(this.#beginning + id)
  }

  ids(): string[] {
    return safeLocalStorage.keys(this.#beginning).map((key) => key.slice(this.#beginning.length))
  }

  #makeRoom(id: string, letters: number): void {
    const others = this.ids()
      .filter((other) => other !== id)
      .map((other) => {
        const text = safeLocalStorage.getItem(this.#beginning + other) ?? ''
        return { id: other, letters: text.length, at: Number((understood(text) as Partial<Dated> | null)?.at) || 0 }
      })
      .sort((a, b) => b.at - a.at)
    let sum = letters
    for (const other of others) {
      sum += other.letters
      if (sum > this.maxLetters) this.forget(other.id)
    }
  }
}

function understood(text: string): object | null {
  try {
    const noted: unknown = JSON.parse(text)
    return typeof noted === 'object' ? noted : null
  } catch {
    return null
  }
}

const PERSON = 'punct.person'

/** Somebody is here, by their id, or nobody: what was noted about somebody else's games is forgotten. */
export function setStorageOwner(id: string | null): void {
  const now = id ?? ''
  const before = safeLocalStorage.getItem(PERSON)
  if (before !== null && before !== now)
    for (const key of safeLocalStorage.keys(BEGINNING)) safeLocalStorage.removeItem(key)
  if (before !== now) safeLocalStorage.setItem(PERSON, now)
}
