/**
 * How long to wait before asking again: longer each time, and never quite the same, so that many do not come back at
 * once.
 */
export class Backoff {
  #wait: number

  constructor(
    readonly shortest: number,
    readonly longest: number,
    /** A number from 0 up to 1, another one each time. */
    readonly lot: () => number = () => Math.random(),
  ) {
    this.#wait = shortest
  }

  /** The next wait, up to a third shorter than its turn has it. */
  next(): number {
    const wait = this.#wait
    this.#wait = Math.min(this.longest, wait * 1.6)
    return wait * (1 - this.lot() / 3)
  }

  reset(): void {
    this.#wait = this.shortest
  }
}
