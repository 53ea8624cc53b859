/** The page in the browser: opens without the network once it was open, and says when there is a new version. */
import { onReconnect } from '../api/connection.svelte'
import { serviceWorkers } from '../browser/storage'

let next = $state.raw<ServiceWorker | null>(null)
let old = $state(false)

/** Whether a newer version of the page waits. */
export function hasUpdate(): boolean {
  return old
}

/** Show the newer version. */
export function applyUpdate(): void {
  const again = (): void => location.reload()
  if (!next || next.state === 'activated' || next.state === 'redundant') return again()
  serviceWorkers()?.addEventListener('controllerchange', again)
  next.postMessage('take-over')
}

/** Of which build a worker is. */
function buildOf(worker: ServiceWorker): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
    worker.postMessage('which', [port2])
  })
}

/** A worker has come that waits, or has taken over in another tab. */
async function met(worker: ServiceWorker | null): Promise<void> {
  if (!worker) return
  if ((await buildOf(worker)) === __BUILD__) return worker.postMessage('settle')
  next = worker
  old = true
}

/** Have the browser keep the page; called once. Where it cannot (no encryption, a private window), nothing changes. */
export async function installServiceWorker(): Promise<void> {
  // A part of the page is gone from the server: it has a newer one.
  addEventListener('vite:preloadError', () => (old = true))
  const serviceWorker = serviceWorkers()
  if (!import.meta.env.PROD || !serviceWorker) return
  const scope = import.meta.env.BASE_URL
  try {
    const registered = await serviceWorker.register(`${scope}sw.js`, { scope, updateViaCache: 'none' })
    registered.addEventListener('updatefound', () => {
      const { installing } = registered
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && registered.active) void met(installing)
      })
    })
    serviceWorker.addEventListener('controllerchange', () => void met(serviceWorker.controller))
    await met(registered.waiting)
    const look = (): void => void registered.update().catch(() => undefined)
    onReconnect(look)
    document.addEventListener('visibilitychange', () => document.hidden || look())
  } catch {
    // Then it opens with the network alone.
  }
}
