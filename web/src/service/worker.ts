/**
 * The service worker: keeps every file of the page, so that it opens without the network. What the server says is never
 * kept. As long as the network answers, the page comes from there: so nobody is shown an old one after an upgrade. Each
 * build has files of its own, and those of earlier ones go when it takes over.
 */

// The browser's words for service workers, as far as they are used: they do not go with those for pages.
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Asking extends Waiting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface Told extends Waiting, MessageEvent {}
interface Worker {
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly unknown[]>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Waiting) => void): void
  addEventListener(type: 'fetch', listener: (event: Asking) => void): void
  addEventListener(type: 'message', listener: (event: Told) => void): void
}
const worker = self as unknown as Worker

const CACHES = 'punct-'
const CACHE = CACHES + __BUILD__
/** Where the page lies: beside this worker. */
const ROOT = new URL('./', worker.location.href)
/** How long the network may keep somebody waiting for a page that is kept here, in milliseconds. */
const PATIENCE = 4000

const at = (name: string): string => new URL(name, ROOT).href

async function kept(request: Request | string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(request, { ignoreVary: true })
}

/** Keep every file, or become no worker. What the page has just loaded comes from the browser's own cache. */
async function install(): Promise<void> {
  const answer = await fetch(at('files.json'), { cache: 'no-store' })
  const { build, files } = (await answer.json()) as { build: string; files: readonly string[] }
  if (build !== __BUILD__) throw new Error('the page was built anew meanwhile')
  const cache = await caches.open(CACHE)
  await cache.addAll(
    files.map((name) => new Request(at(name), { cache: name.startsWith('assets/') ? 'default' : 'no-cache' })),
  )
  await complete()
}

/**
 * What is large, and not needed for the page to open, comes last: the kernel, and the network it plays by. The kernel
 * may even be built after the page: it is kept as soon as it is there.
 */
async function complete(): Promise<void> {
  for (const address of [__KERNEL__, __NETWORK__].map(at)) {
    if (await kept(address)) continue
    try {
      const answer = await fetch(address)
      if (answer.ok) await (await caches.open(CACHE)).put(address, answer)
    } catch {
      // The next page asks again.
    }
  }
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== CACHE) await caches.delete(name)
  await worker.clients.claim()
}

function inTime(asked: Promise<Response>): Promise<Response> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), PATIENCE))
  return Promise.race([asked, late])
}

/** The page, whichever place in it is asked for: a host of plain files knows but one of them. */
async function page(request: Request): Promise<Response> {
  const page = await kept(ROOT.href)
  const asked = fetch(request)
  if (!page) return asked
  try {
    const answer = await inTime(asked)
    return answer.ok || answer.type === 'opaqueredirect' ? answer : page
  } catch {
    return page
  }
}

/** A file whose name changes with its content. */
async function asset(request: Request): Promise<Response> {
  const found = await kept(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone()).catch(() => undefined)
  return answer
}

/** Any other file. */
async function file(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await kept(request)
    if (found) return found
    throw error
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return
  const path = pathname.slice(ROOT.pathname.length)
  if (/^api(\/|$)/.test(path)) return
  if (request.mode === 'navigate') {
    event.respondWith(page(request))
    event.waitUntil(complete())
  } else if (path.startsWith('assets/')) event.respondWith(asset(request))
  else event.respondWith(file(request))
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
    // The page is of this build already: nobody minds if no other one is open.
    case 'settle':
      event.waitUntil(
        worker.clients
          .matchAll({ type: 'window', includeUncontrolled: true })
          .then((open) => (open.length < 2 ? worker.skipWaiting() : undefined)),
      )
  }
})
