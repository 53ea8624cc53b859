/**
 * What is said to those who do not see the board. Everything said is a line of its own in a live region that only
 * grows: so a screen reader reads each line to its end, and none is swallowed by the next.
 */
export interface Announcement {
  readonly text: string
  /** Grows with each, so that the same words said again are said again. */
  readonly number: number
}

/** How many lines stay: older ones have been read, or never will be. */
const KEPT = 12

export class Announcer {
  lines: readonly Announcement[] = $state.raw([])
  #said = 0

  say(text: string): void {
    this.lines = [...this.lines, { text, number: ++this.#said }].slice(-KEPT)
  }
}
