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
  /** How often somebody plays in an hour of one of these local days. */
  const counts = (firstDay: number, days: number): number[] =>
    Array.from({ length: HOURS }, (_, hour) => {
      const local = Array.from({ length: days }, (_, day) => (firstDay + day) * HOURS + hour)
      const utc = local.map((each) => (each - shift + DAYS * HOURS) % (DAYS * HOURS))
      return utc.reduce((sum, each) => sum + (hours[each] ?? 0), 0) / days
    })
  const [weekdays, weekend] = [counts(0, 5), counts(5, 2)]
  const most = Math.max(...weekdays, ...weekend)
  const level = (count: number): number => (most ? Math.ceil((count / most) * LEVELS) : 0)
  return { weekdays: weekdays.map(level), weekend: weekend.map(level) }
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
