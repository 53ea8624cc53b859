/**
 * Whether the server can be reached. Every request and the live connection report here. While it cannot be reached,
 * this module alone checks its health, with backoff, and at once when the browser says that the network is back; then
 * it calls the subscribers.
 */
import { Backoff } from './backoff'

/** Whether this page has a server at all: a page of plain files has none, and sends no requests. */
export const HAS_SERVER: boolean = __SERVED__

/** The timeout of a health check. */
const HEALTH_TIMEOUT_MS = 8000
/** How long the page shows that the connection is restored; a connection that lasts so long counts as stable. */
const RESTORED_NOTICE_MS = 3500

type State = 'online' | 'lost' | 'restored'

const status = $state<{ state: State; reconnects: number }>({ state: 'online', reconnects: 0 })
const backoff = new Backoff(1000, 8000)
const reconnectListeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let pendingCheck: Promise<void> | null = null

/** The connection's state, for display. */
export function connectionState(): State {
  return status.state
}

/** Whether the page has to do without the server. */
export function isOffline(): boolean {
  return !HAS_SERVER || status.state === 'lost'
}

/** How often the server has come back: pages that could not load depend on it to try again. */
export function reconnectCount(): number {
  return status.reconnects
}

/** Call a listener whenever the server comes back; returns the unsubscribe function. */
export function onReconnect(listener: () => void): () => void {
  reconnectListeners.add(listener)
  return () => reconnectListeners.delete(listener)
}

/** A response or live message has arrived. */
export function reportReachable(): void {
  if (status.state !== 'lost') return
  clearTimeout(timer)
  status.state = 'restored'
  status.reconnects++
  timer = setTimeout(() => {
    status.state = 'online'
    backoff.reset()
  }, RESTORED_NOTICE_MS)
  for (const listener of [...reconnectListeners]) listener()
}

/** A request has got no response. */
export function reportUnreachable(): void {
  if (status.state === 'lost') return
  status.state = 'lost'
  scheduleCheck()
}

/** Check the server's health now. */
export function retryNow(): Promise<void> {
  clearTimeout(timer)
  pendingCheck ??= checkHealth().finally(() => (pendingCheck = null))
  return pendingCheck
}

async function checkHealth(): Promise<void> {
  try {
    const response = await fetch('/api/v1/health', {
      cache: 'no-store',
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    })
    if (response.ok) return reportReachable()
  } catch {
    // Still unreachable.
  }
  if (status.state === 'lost') scheduleCheck()
}

function scheduleCheck(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void retryNow(), backoff.next())
}

addEventListener('online', () => status.state === 'lost' && void retryNow())
