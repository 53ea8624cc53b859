/** The server's time of day, as far as it is known: this machine's clock may be wrong. */

/** How far the server's clock is ahead of ours, in milliseconds, and how well that is known. */
let ahead = 0
let doubt = Infinity

/** The server said what time it was, in an answer that came `round` milliseconds after it was asked for. */
export function learnTime(server: number, received: number, round: number): void {
  // The shorter the way, the less can be wrong.
  if (round > doubt) return
  doubt = round
  ahead = server - (received - round / 2)
}

export function serverNow(): number {
  return Date.now() + ahead
}
