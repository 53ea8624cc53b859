/**
 * The service worker: caches every file of the page, so that it opens offline. Responses of the API are never cached.
 * While the network answers, the page comes from there: so nobody is shown an old one after an upgrade. Each build has
 * a cache of its own; those of earlier builds are deleted when it takes over. `push.ts` has the notifications.
 */

import { sendStoredMoves, SYNC_TAG } from './moveSync'
import { installPush } from './push'
import type { Worker } from './types'

const worker = self as unknown as Worker

const CACHE_PREFIX = 'punct-'
const CACHE = CACHE_PREFIX + __BUILD__
/** The folder of the page, beside this worker. */
const ROOT = new URL('./', worker.location.href)
/** The network's time to answer before a cached page is shown, in milliseconds. */
const NETWORK_TIMEOUT_MS = 4000

const urlOf = (name: string): string => new URL(name, ROOT).href

async function fromCache(request: Request | string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(request, { ignoreVary: true })
}

/** Cache every file, or fail. What the page has just loaded comes from the browser's own cache. */
async function install(): Promise<void> {
  const response = await fetch(urlOf('files.json'), { cache: 'no-store' })
  const { build, files } = (await response.json()) as { build: string; files: readonly string[] }
  if (build !== __BUILD__) throw new Error('the page was built anew meanwhile')
  const cache = await caches.open(CACHE)
  await cache.addAll(
    files.map((name) => new Request(urlOf(name), { cache: name.startsWith('assets/') ? 'default' : 'no-cache' })),
  )
  await cacheLargeFiles()
}

/**
 * Cache large files that the page does not need to open: the kernel and its network. The kernel may even be built after
 * the page: it is cached as soon as it is there.
 */
async function cacheLargeFiles(): Promise<void> {
  for (const url of [__KERNEL__, __NETWORK__].map(urlOf)) {
    if (await fromCache(url)) continue
    try {
      const response = await fetch(url)
      if (response.ok) await (await caches.open(CACHE)).put(url, response)
    } catch {
      // The next page load tries again.
    }
  }
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX) && name !== CACHE) await caches.delete(name)
  await worker.clients.claim()
}

function withTimeout(response: Promise<Response>): Promise<Response> {
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), NETWORK_TIMEOUT_MS))
  return Promise.race([response, timeout])
}

/** Respond to a navigation with the page, whatever its path: a host of plain files knows but one. */
async function respondWithPage(request: Request): Promise<Response> {
  const cachedPage = await fromCache(ROOT.href)
  const pendingResponse = fetch(request)
  if (!cachedPage) return pendingResponse
  try {
    const response = await withTimeout(pendingResponse)
    return response.ok || response.type === 'opaqueredirect' ? response : cachedPage
  } catch {
    return cachedPage
  }
}

/** Respond with a file whose name changes with its content. */
async function respondWithAsset(request: Request): Promise<Response> {
  const cached = await fromCache(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone()).catch(() => undefined)
  return response
}

/** Respond with any other file. */
async function respondWithFile(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const cached = await fromCache(request)
    if (cached) return cached
    throw error
  }
}

installPush(worker)
worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return
  const path = pathname.slice(ROOT.pathname.length)
  // The API, the documentation, embedded boards and calendars are the server's alone, and never the page.
  if (/^(api|docs|embed|oembed|calendar)(\/|$)/.test(path)) return
  if (request.mode === 'navigate') {
    event.respondWith(respondWithPage(request))
    event.waitUntil(cacheLargeFiles())
  } else if (path.startsWith('assets/')) event.respondWith(respondWithAsset(request))
  else event.respondWith(respondWithFile(request))
})

worker.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendStoredMoves())
})

worker.addEventListener('message', (event) => {
  switch (event.data) {
    case 'which':
      event.ports[0]?.postMessage(__BUILD__)
      break
    // The player wants the new version.
    case 'take-over':
      event.waitUntil(worker.skipWaiting())
      break
    // The page is of this build already: the worker may take over if no other page is open.
    case 'settle':
      event.waitUntil(
        worker.clients
          .matchAll({ type: 'window', includeUncontrolled: true })
          .then((pages) => (pages.length < 2 ? worker.skipWaiting() : undefined)),
      )
  }
})
