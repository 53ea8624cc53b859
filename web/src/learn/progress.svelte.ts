/** Which boards of the course were done, kept in the browser. */
import { SvelteSet } from 'svelte/reactivity'
import { localShelf, type Shelf } from '../browser/storage'
import { Note } from './note.svelte'

interface Noted {
  /** The names of the boards that were done. */
  readonly done: readonly string[]
}

function sense(noted: unknown): Noted | null {
  const { done } = noted as { done: unknown }
  return Array.isArray(done) && done.every((name) => typeof name === 'string') ? { done } : null
}

export class Progress {
  readonly #done = new SvelteSet<string>()
  readonly #note: Note<Noted>

  constructor(shelf: Shelf = localShelf) {
    this.#note = new Note('punct.lessons', sense, shelf)
    this.read()
  }

  /** The note that was here could not be read. */
  get broken(): boolean {
    return this.#note.broken
  }

  /** Take in what was noted, by another tab too. */
  read(): void {
    for (const name of this.#note.read()?.done ?? []) this.#done.add(name)
  }

  has(name: string): boolean {
    return this.#done.has(name)
  }

  add(name: string): void {
    this.read()
    this.#done.add(name)
    this.#note.write({ done: [...this.#done] })
  }

  /** Begin anew. */
  clear(): void {
    this.#done.clear()
    this.#note.clear()
  }
}

let shared: Progress | undefined

/** The progress of this browser. */
export function progress(): Progress {
  shared ??= new Progress()
  return shared
}
