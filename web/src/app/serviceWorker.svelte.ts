/** Installs the service worker, with which the page opens offline, and detects new versions. */
import { onReconnect } from '../api/connection.svelte'
import { serviceWorkers } from '../browser/storage'

let newWorker = $state.raw<ServiceWorker | null>(null)
let isOutdated = $state(false)

/** Whether a newer version of the page is available. */
export function hasUpdate(): boolean {
  return isOutdated
}

/** Switch to the newer version. */
export function applyUpdate(): void {
  const reload = (): void => location.reload()
  if (!newWorker || newWorker.state === 'activated' || newWorker.state === 'redundant') return reload()
  serviceWorkers()?.addEventListener('controllerchange', reload)
  newWorker.postMessage('take-over')
}

/** The build that a worker belongs to. */
function buildOf(worker: ServiceWorker): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
    worker.postMessage('which', [port2])
  })
}

/** Handle a worker that waits, or has taken over in another tab. */
async function handleWorker(worker: ServiceWorker | null): Promise<void> {
  if (!worker) return
  if ((await buildOf(worker)) === __BUILD__) return worker.postMessage('settle')
  newWorker = worker
  isOutdated = true
}

/**
 * Register the service worker; called once. Where that is impossible (no encryption, a private window), nothing
 * changes.
 */
export async function installServiceWorker(): Promise<void> {
  // A part of the page is gone from the server: it has a newer version.
  addEventListener('vite:preloadError', () => (isOutdated = true))
  const serviceWorker = serviceWorkers()
  if (!import.meta.env.PROD || !serviceWorker) return
  const scope = import.meta.env.BASE_URL
  try {
    const registration = await serviceWorker.register(`${scope}sw.js`, { scope, updateViaCache: 'none' })
    registration.addEventListener('updatefound', () => {
      const { installing } = registration
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && registration.active) void handleWorker(installing)
      })
    })
    serviceWorker.addEventListener('controllerchange', () => void handleWorker(serviceWorker.controller))
    await handleWorker(registration.waiting)
    const update = (): void => void registration.update().catch(() => undefined)
    onReconnect(update)
    document.addEventListener('visibilitychange', () => document.hidden || update())
  } catch {
    // Without it, the page needs the network.
  }
}
