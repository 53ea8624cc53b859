/** The boards of the course that are done, stored in the browser. */
import { SvelteSet } from 'svelte/reactivity'
import { type KeyValueStorage, safeLocalStorage } from '../../browser/storage'
import { StoredValue } from '../../browser/storedValue.svelte'

interface StoredProgress {
  /** The names of the boards that are done. */
  readonly done: readonly string[]
}

function parseProgress(value: unknown): StoredProgress | null {
  const { done } = value as { done: unknown }
  return Array.isArray(done) && done.every((name) => typeof name === 'string') ? { done } : null
}

export class LessonProgress {
  readonly #completed = new SvelteSet<string>()
  readonly #stored: StoredValue<StoredProgress>

  constructor(storage: KeyValueStorage = safeLocalStorage) {
    this.#stored = new StoredValue('punct.lessons', parseProgress, storage)
    this.read()
  }

  /** Whether the stored progress could not be read. */
  get broken(): boolean {
    return this.#stored.isBroken
  }

  /** Add the stored progress, which another tab may have changed. */
  read(): void {
    for (const name of this.#stored.read()?.done ?? []) this.#completed.add(name)
  }

  has(name: string): boolean {
    return this.#completed.has(name)
  }

  add(name: string): void {
    this.read()
    this.#completed.add(name)
    this.#stored.write({ done: [...this.#completed] })
  }

  /** Delete the progress. */
  clear(): void {
    this.#completed.clear()
    this.#stored.clear()
  }
}

let shared: LessonProgress | undefined

/** The progress of this browser. */
export function lessonProgress(): LessonProgress {
  shared ??= new LessonProgress()
  return shared
}
