/**
 * Estimates the server's time of day, as this device's clock may be wrong. Every response states the second in which it
 * was made, some the exact time, and it was made between request and response. The intersection of all these intervals
 * is kept, so the estimate becomes ever more exact.
 */

/** Bounds of the offset between the server's clock and ours, in milliseconds. */
let minOffset = -Infinity
let maxOffset = Infinity

/** Narrow the bounds: a response was made at `date`, or up to `precision` milliseconds later. */
export function updateServerTime(date: string | null, precision: number, sentAt: number, receivedAt: number): void {
  const time = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(time)) return
  const [low, high] = [time - receivedAt, time + precision - sentAt]
  // Empty intersection: one of the clocks was set meanwhile, and the old bounds are worthless.
  if (low > maxOffset || high < minOffset) [minOffset, maxOffset] = [low, high]
  else [minOffset, maxOffset] = [Math.max(minOffset, low), Math.min(maxOffset, high)]
}

/** The server's time now; our clock's, if that may be right. */
export function serverNow(): number {
  const isClockRight = minOffset === -Infinity || (minOffset <= 0 && maxOffset >= 0)
  return Date.now() + (isClockRight ? 0 : (minOffset + maxOffset) / 2)
}
