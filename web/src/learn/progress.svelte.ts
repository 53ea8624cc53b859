/** Which boards of the course were done, kept in the browser. A note that cannot be read is put aside, and said. */
import { SvelteSet } from 'svelte/reactivity'

const KEY = 'punct.lessons'
/** Where a broken note is put, for whoever can still make something of it. */
const ASIDE = 'punct.lessons.broken'

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export class Progress {
  /** The names of the boards that were done. */
  readonly #done = new SvelteSet<string>()
  /** The note that was here could not be read. */
  broken = $state(false)

  constructor(readonly shelf: Shelf = localStorage) {
    this.read()
  }

  /** Take in what was noted, by another tab too. */
  read(): void {
    let noted: string | null
    try {
      noted = this.shelf.getItem(KEY)
    } catch {
      // A browser that keeps nothing begins anew each time.
      return
    }
    if (noted === null) return
    const names = namesIn(noted)
    if (names) for (const name of names) this.#done.add(name)
    else this.#putAside(noted)
  }

  has(name: string): boolean {
    return this.#done.has(name)
  }

  add(name: string): void {
    this.read()
    this.#done.add(name)
    try {
      this.shelf.setItem(KEY, JSON.stringify({ done: [...this.#done] }))
    } catch {
      // Full, or not allowed: it lasts as long as the page.
    }
  }

  /** Begin anew. */
  clear(): void {
    this.#done.clear()
    try {
      this.shelf.removeItem(KEY)
    } catch {
      // Nothing was kept.
    }
  }

  #putAside(noted: string): void {
    this.broken = true
    try {
      this.shelf.setItem(ASIDE, noted)
      this.shelf.removeItem(KEY)
    } catch {
      // The next one who notes something overwrites it.
    }
  }
}

function namesIn(noted: string): readonly string[] | null {
  try {
    const { done } = JSON.parse(noted) as { done: unknown }
    return Array.isArray(done) && done.every((name) => typeof name === 'string') ? done : null
  } catch {
    return null
  }
}

let shared: Progress | undefined

/** The progress of this browser. */
export function progress(): Progress {
  shared ??= new Progress()
  return shared
}
