/** The streak of days whose puzzle was solved. */

const DAY = 86_400_000

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY).toISOString().slice(0, 10)
}

/** The number of days in a row up to today; or up to yesterday, as long as today is not over. */
export function dailyStreak(solved: ReadonlySet<string>, today: string): number {
  let day = solved.has(today) ? today : dayBefore(today)
  let count = 0
  for (; solved.has(day); day = dayBefore(day)) count += 1
  return count
}
