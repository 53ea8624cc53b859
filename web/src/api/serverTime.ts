/**
 * The server's time of day: this machine's clock may be wrong. Every answer tells the second in which it was made,
 * some the very moment, and it was made between asking and hearing; of all that, what is common is kept, so it
 * becomes ever more exact.
 */

/** How far the server's clock is ahead of ours, in milliseconds: not less, and not more. */
let least = -Infinity
let most = Infinity

/** The server made an answer at `date`, or up to `within` milliseconds later; asked for and heard at our times. */
export function updateServerTime(date: string | null, within: number, asked: number, heard: number): void {
  const time = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(time)) return
  const [low, high] = [time - heard, time + within - asked]
  // Nothing in common: one of the clocks was set meanwhile, and what was known is worth nothing.
  if (low > most || high < least) [least, most] = [low, high]
  else [least, most] = [Math.max(least, low), Math.min(most, high)]
}

/** The server's time now. A clock of ours that may be right is taken to be. */
export function serverNow(): number {
  const right = least === -Infinity || (least <= 0 && most >= 0)
  return Date.now() + (right ? 0 : (least + most) / 2)
}
