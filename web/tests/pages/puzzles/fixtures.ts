/** Puzzles to choose from, and a shelf that notes are put on. */
import type { KeyValueStorage } from '../../../src/browser/storage'
import type { Puzzle, Theme } from '../../../src/pages/puzzles/collection'

/** A puzzle that nobody will solve. */
export function made(id: string, rating: number, changes: Partial<Puzzle> = {}): Puzzle {
  const solution = ['Ed5ne']
  return { id, position: 'standard w', goal: 'win', turns: 1, solution, also: [], themes: [], rating, ...changes }
}

/** So many, each ten points harder than the one before, every third about something. */
export function many(count: number, theme: Theme = 'bridge'): readonly Puzzle[] {
  return Array.from({ length: count }, (_, number) =>
    made(`p${number}`, 600 + 10 * number, number % 3 ? {} : { themes: [theme] }),
  )
}

/** A browser's storage; one that is `full` keeps nothing more, one that is `shut` says no to everything. */
export class Box implements KeyValueStorage {
  readonly notes = new Map<string, string>()
  full = false
  shut = false

  getItem(key: string): string | null {
    this.#open()
    return this.notes.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.#open()
    if (this.full) throw new DOMException('no room', 'QuotaExceededError')
    this.notes.set(key, value)
  }

  removeItem(key: string): void {
    this.#open()
    this.notes.delete(key)
  }

  #open(): void {
    if (this.shut) throw new DOMException('denied', 'SecurityError')
  }
}

/** A clock that is set by hand. */
export class Watch {
  constructor(public time = Date.parse('2026-11-17T12:00:00Z')) {}
  readonly now = (): number => this.time
}
