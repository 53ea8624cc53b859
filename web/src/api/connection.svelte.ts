/**
 * Whether the server answers. Every request and the live connection report here. While nothing answers, this alone asks
 * the server again, less and less often, and at once when the browser says that the network is back; whoever waits for
 * the server is told when it is there.
 */
import { Backoff } from './backoff'

/** Whether this page has a server at all: one of plain files has none, and asks nobody. */
export const HAS_SERVER: boolean = __SERVED__

/** How long an answer may take. */
const PATIENCE = 8000
/** How long the good news stays; a connection that lasts so long has come to stay. */
const NEWS = 3500

type State = 'online' | 'lost' | 'restored'

const here = $state<{ state: State; times: number }>({ state: 'online', times: 0 })
const backoff = new Backoff(1000, 8000)
const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let asking: Promise<void> | null = null

/** The state to show. */
export function connection(): State {
  return here.state
}

/** Whether one has to do without the server. */
export function isOffline(): boolean {
  return !HAS_SERVER || here.state === 'lost'
}

/** How often the server has come back: pages that could not load depend on it to try again. */
export function reconnects(): number {
  return here.times
}

/** Have a function called whenever the server comes back; returns how to stop that. */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}

/** Something answered. */
export function reportReachable(): void {
  if (here.state !== 'lost') return
  clearTimeout(timer)
  here.state = 'restored'
  here.times++
  timer = setTimeout(() => {
    here.state = 'online'
    backoff.reset()
  }, NEWS)
  for (const listener of [...waiting]) listener()
}

/** Nothing answered. */
export function reportUnreachable(): void {
  if (here.state === 'lost') return
  here.state = 'lost'
  wait()
}

/** Ask now. */
export function retryNow(): Promise<void> {
  clearTimeout(timer)
  asking ??= ask().finally(() => (asking = null))
  return asking
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch('/api/v1/health', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) })
    if (answer.ok) return reportReachable()
  } catch {
    // Not yet.
  }
  if (here.state === 'lost') wait()
}

function wait(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void retryNow(), backoff.next())
}

addEventListener('online', () => here.state === 'lost' && void retryNow())
