/**
 * Detects stale responses. By the time a response arrives, the page may show another position, another page, or have
 * sent another request: then the response is stale, and so is its error. Everything that is shown, played or opened
 * after an `await` is requested through a `Latest`; its type makes every caller handle stale responses.
 */
import { untrack } from 'svelte'

/** The result of a request whose response is stale. */
export const STALE = Symbol('stale')
export type Stale = typeof STALE

/** One request; tells whether its response would be stale. */
export interface Ticket {
  readonly stale: boolean
}

export class Latest {
  #newest: Ticket | null = null

  /** `state` is what responses depend on: once any of it changes, the response to an earlier request is stale. */
  constructor(readonly state: () => readonly unknown[] = () => []) {}

  /** Begin a request; responses to earlier ones are stale from now on. */
  begin(): Ticket {
    const { state } = this
    const isNewest = (): boolean => this.#newest === ticket
    const stateBefore = untrack(state)
    const ticket: Ticket = {
      get stale() {
        return !isNewest() || !isSame(stateBefore, untrack(state))
      },
    }
    this.#newest = ticket
    return ticket
  }

  /** Make the responses to all requests so far stale. */
  invalidate(): void {
    this.#newest = null
  }

  /** Whether a request is running whose response would not be stale. */
  get isPending(): boolean {
    return this.#newest !== null && !this.#newest.stale
  }

  /**
   * Send a request. Returns STALE if another was sent meanwhile, or the state has changed; errors then count as stale,
   * too.
   */
  async run<T>(send: () => Promise<T>): Promise<T | Stale> {
    const ticket = this.begin()
    try {
      const response = await send()
      return ticket.stale ? STALE : response
    } catch (error) {
      if (ticket.stale) return STALE
      throw error
    } finally {
      if (this.#newest === ticket) this.#newest = null
    }
  }

  /** Send a request unless one is running: a key that bounces sends only one. */
  async runOnce<T>(send: () => Promise<T>): Promise<T | Stale> {
    return this.isPending ? STALE : this.run(send)
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => Object.is(part, other[index]))
}
