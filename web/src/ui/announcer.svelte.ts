/**
 * Announces what happens to those who do not see the board. Each announcement is a line of its own in a live region
 * that only grows: so a screen reader reads each line to its end, and none is swallowed by the next.
 */
export interface Announcement {
  readonly text: string
  /** Grows with each, so that the same words are announced again. */
  readonly number: number
}

/** So many lines stay: older ones have been read, or never will be. */
const MAX_LINES = 12

export class Announcer {
  lines: readonly Announcement[] = $state.raw([])
  #count = 0

  say(text: string): void {
    this.lines = [...this.lines, { text, number: ++this.#count }].slice(-MAX_LINES)
  }
}
