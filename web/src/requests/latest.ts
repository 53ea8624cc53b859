/**
 * Binds an answer to what it was asked for. By the time an answer comes, whoever asked may look at another position, be
 * on another page, or have asked for something else: then the answer is stale, and so is its error. Whatever is shown,
 * played or gone to after an `await` is asked for through one of these; the type makes everybody say what a stale
 * answer leads to.
 */
import { untrack } from 'svelte'

/** What comes of a question whose answer is no longer wanted. */
export const STALE = Symbol('stale')
export type Stale = typeof STALE

/** One question; tells whether its answer is no longer wanted. */
export interface Ticket {
  readonly stale: boolean
}

export class Latest {
  #newest: Ticket | null = null

  /** `state` is what answers are for: once any of it is another, those that were asked for before are stale. */
  constructor(readonly state: () => readonly unknown[] = () => []) {}

  /** Begin a question; those before it are stale from now on. */
  begin(): Ticket {
    const { state } = this
    const isNewest = (): boolean => this.#newest === ticket
    const before = untrack(state)
    const ticket: Ticket = {
      get stale() {
        return !isNewest() || !isSame(before, untrack(state))
      },
    }
    this.#newest = ticket
    return ticket
  }

  /** No answer that was asked for is wanted any more. */
  drop(): void {
    this.#newest = null
  }

  /** Whether a question is open whose answer is still wanted. */
  get pending(): boolean {
    return this.#newest !== null && !this.#newest.stale
  }

  /** Ask. The answer is STALE if something else was asked meanwhile, or the state has changed; its error is, too. */
  async ask<T>(question: () => Promise<T>): Promise<T | Stale> {
    const ticket = this.begin()
    try {
      const answer = await question()
      return ticket.stale ? STALE : answer
    } catch (error) {
      if (ticket.stale) return STALE
      throw error
    } finally {
      if (this.#newest === ticket) this.#newest = null
    }
  }

  /** The same for a wish: asked for twice before the answer, as by a key that bounces, it is asked once. */
  async askOnce<T>(question: () => Promise<T>): Promise<T | Stale> {
    return this.pending ? STALE : this.ask(question)
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => Object.is(part, other[index]))
}
