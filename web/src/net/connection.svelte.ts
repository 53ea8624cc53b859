/**
 * Whether the server answers. Every request reports here; while nothing answers, the server is asked again, less and
 * less often, and at once when the browser says that the network is back.
 */
const SHORTEST = 1000
const LONGEST = 15_000
/** How long the good news stays. */
const NEWS = 3500

type State = 'online' | 'lost' | 'restored'

const here = $state<{ state: State; times: number }>({ state: 'online', times: 0 })
let wait = SHORTEST
let timer: ReturnType<typeof setTimeout> | undefined

/** The state to show. */
export function connection(): State {
  return here.state
}

/** How often the server has come back: pages that could not load depend on it to try again. */
export function returns(): number {
  return here.times
}

/** Something answered. */
export function reached(): void {
  if (here.state !== 'lost') return
  clearTimeout(timer)
  wait = SHORTEST
  here.state = 'restored'
  here.times++
  timer = setTimeout(() => (here.state = 'online'), NEWS)
}

/** Nothing answered. */
export function missed(): void {
  if (here.state === 'lost') return
  clearTimeout(timer)
  here.state = 'lost'
  timer = setTimeout(() => void again(), wait)
}

/** Ask now. */
export async function again(): Promise<void> {
  clearTimeout(timer)
  try {
    const answer = await fetch('/api/v1/health', { cache: 'no-store' })
    if (answer.ok) return reached()
  } catch {
    // Not yet.
  }
  if (here.state !== 'lost') return
  wait = Math.min(LONGEST, wait * 1.6)
  timer = setTimeout(() => void again(), wait)
}

addEventListener('online', () => here.state === 'lost' && void again())
