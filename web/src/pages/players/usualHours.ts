/** In which hours somebody usually plays: from hours of the week in UTC to the reader's days, and in words. */
const [DAYS, HOURS] = [7, 24]
const LEVELS = 4

/** Two rows of a strip, each with a level from 0 to 4 for every hour of a day. */
export interface Strip {
  readonly weekdays: readonly number[]
  readonly weekend: readonly number[]
}

export interface HourRange {
  readonly from: number
  /** The hour after the last one: 24 at midnight. */
  readonly until: number
}

/** Levels by hour of the reader's day; `offset` is how many minutes their clock is ahead of UTC. */
export function stripOf(hours: readonly number[], offset: number): Strip {
  const shift = Math.round(offset / 60)
  const counts = { weekdays: Array<number>(HOURS).fill(0), weekend: Array<number>(HOURS).fill(0) }
  hours.forEach((days, hour) => {
    const local = (hour + shift + DAYS * HOURS) % (DAYS * HOURS)
    const isWeekend = local >= 5 * HOURS
    const sums = counts[isWeekend ? 'weekend' : 'weekdays']
    sums[local % HOURS] = (sums[local % HOURS] ?? 0) + days / (isWeekend ? 2 : 5)
  })
  const most = Math.max(...counts.weekdays, ...counts.weekend)
  const level = (count: number): number => (most ? Math.ceil((count / most) * LEVELS) : 0)
  return { weekdays: counts.weekdays.map(level), weekend: counts.weekend.map(level) }
}

/** The ranges of hours with at least half of the highest level; one that passes midnight is one range. */
export function usualRanges(levels: readonly number[]): HourRange[] {
  const isUsual = levels.map((level) => level >= LEVELS / 2)
  if (!isUsual.includes(true)) return []
  if (!isUsual.includes(false)) return [{ from: 0, until: HOURS }]
  const ranges: HourRange[] = []
  for (let from = 0; from < HOURS; from++) {
    if (!isUsual[from] || isUsual[(from + HOURS - 1) % HOURS]) continue
    let length = 1
    while (isUsual[(from + length) % HOURS]) length++
    ranges.push({ from, until: ((from + length - 1) % HOURS) + 1 })
  }
  return ranges
}
