/** Which boards of the course were done, kept in the browser. */
import { SvelteSet } from 'svelte/reactivity'
import { type KeyValueStorage, safeLocalStorage } from '../../browser/storage'
import { StoredValue } from '../../browser/storedValue.svelte'

interface Noted {
  /** The names of the boards that were done. */
  readonly done: readonly string[]
}

function parseProgress(value: unknown): Noted | null {
  const { done } = value as { done: unknown }
  return Array.isArray(done) && done.every((name) => typeof name === 'string') ? { done } : null
}

export class LessonProgress {
  readonly #completed = new SvelteSet<string>()
  readonly #note: StoredValue<Noted>

  constructor(storage: KeyValueStorage = safeLocalStorage) {
    this.#note = new StoredValue('punct.lessons', parseProgress, storage)
    this.read()
  }

  /** The note that was here could not be read. */
  get broken(): boolean {
    return this.#note.isBroken
  }

  /** Take in what was noted, by another tab too. */
  read(): void {
    for (const name of this.#note.read()?.done ?? []) this.#completed.add(name)
  }

  has(name: string): boolean {
    return this.#completed.has(name)
  }

  add(name: string): void {
    this.read()
    this.#completed.add(name)
    this.#note.write({ done: [...this.#completed] })
  }

  /** Begin anew. */
  clear(): void {
    this.#completed.clear()
    this.#note.clear()
  }
}

let shared: LessonProgress | undefined

/** The progress of this browser. */
export function lessonProgress(): LessonProgress {
  shared ??= new LessonProgress()
  return shared
}
