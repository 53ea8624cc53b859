/** Days whose puzzle was solved, one after the other. */

const DAY = 86_400_000

function before(day: string): string {
  return new Date(Date.parse(day) - DAY).toISOString().slice(0, 10)
}

/** How many there are in a row up to today; or up to yesterday, as long as today is not over. */
export function dailyStreak(solved: ReadonlySet<string>, today: string): number {
  let day = solved.has(today) ? today : before(today)
  let count = 0
  for (; solved.has(day); day = before(day)) count += 1
  return count
}
