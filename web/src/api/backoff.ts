/** Exponential backoff with jitter, so that many clients do not come back at once. */
export class Backoff {
  #delay: number

  constructor(
    readonly minDelay: number,
    readonly maxDelay: number,
    /** A random number from 0 up to 1. */
    readonly random: () => number = () => Math.random(),
  ) {
    this.#delay = minDelay
  }

  /** The next delay in milliseconds, up to a third shorter by jitter. */
  next(): number {
    const delay = this.#delay
    this.#delay = Math.min(this.maxDelay, delay * 1.6)
    return delay * (1 - this.random() / 3)
  }

  reset(): void {
    this.#delay = this.minDelay
  }
}
