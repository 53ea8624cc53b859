/** Relative times, such as "3 days ago". */
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function ago(language: string, when: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(when)) / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, size] of STEPS) if (seconds >= size) return format.format(-Math.floor(seconds / size), unit)
  return format.format(0, 'second')
}

/** The time zone of this device. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

/** A date with its day of the week, in a time zone that is named: this device's, if the browser knows no such zone. */
export function dateInZone(language: string, when: string, zone: string): string {
  const form = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const
  try {
    return new Intl.DateTimeFormat(language, { ...form, timeZone: zone }).format(new Date(when))
  } catch {
    return new Intl.DateTimeFormat(language, form).format(new Date(when))
  }
}

/** How long until then, in the largest unit of which there is one: "in 3 days". */
export function until(language: string, when: string, now: number): string {
  const seconds = Math.max(0, (Date.parse(when) - now) / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  for (const [unit, size] of STEPS) if (seconds >= size) return format.format(Math.floor(seconds / size), unit)
  return format.format(Math.floor(seconds), 'second')
}

/** A day and a time of day, for what happens within a year. */
export function dayAndTime(language: string, when: string): string {
  const form = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, form).format(new Date(when))
}
