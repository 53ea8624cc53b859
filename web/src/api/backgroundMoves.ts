/**
 * Moves that wait for the network, where the service worker finds them: it sends them when the network is back, even if
 * no page is open (`service/moveSync.ts`). The page's own storage stays the authority: what was withdrawn there is
 * removed here, and what the worker has sent is found in the game.
 */
import { serviceWorkers, sharedCaches } from '../browser/storage'

/** As in `service/moveSync.ts`. */
export const SYNC_TAG = 'punct-moves'
const CACHE = 'moves-to-send'

export interface BackgroundMove {
  readonly text: string
  readonly ply: number
  readonly before: readonly string[]
  readonly key: string
}
interface SyncRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
}

const urlOf = (game: string): string => `/moves-to-send/${encodeURIComponent(game)}`

/** One after another: a move that is withdrawn right after it was stored must not stay. */
let pending: Promise<void> = Promise.resolve()

function enqueue(work: (cache: Cache) => Promise<unknown>, { create = false } = {}): Promise<void> {
  // Without a cache, as in a private window, moves are sent by the page alone.
  pending = pending
    .then(async () => {
      const caches = sharedCaches()
      if (caches && (create || (await caches.has(CACHE)))) await work(await caches.open(CACHE))
    })
    .then(
      () => undefined,
      () => undefined,
    )
  return pending
}

/** Have the service worker send a move as soon as the network is back. */
export function sendInBackground(game: string, { text, ply, before, key }: BackgroundMove): Promise<void> {
  const send = async (cache: Cache): Promise<void> => {
    const workers = serviceWorkers()
    const registration = ((await workers?.getRegistration()) ?? {}) as SyncRegistration
    if (!registration.sync) return
    const body = JSON.stringify({ game, text, ply, before, key })
    await cache.put(urlOf(game), new Response(body))
    await registration.sync.register(SYNC_TAG)
  }
  return enqueue(send, { create: true })
}

/** Have the service worker send no move of a game any more. */
export function stopSendingInBackground(game: string): Promise<void> {
  return enqueue((cache) => cache.delete(urlOf(game)))
}

/** Remove the moves of all other games: those that the page has stored no longer, as another player has logged in. */
export function keepOnlyInBackground(games: readonly string[]): Promise<void> {
  const kept = games.map((game) => new URL(urlOf(game), location.href).href)
  return enqueue(async (cache) => {
    for (const { url } of await cache.keys()) if (!kept.includes(url)) await cache.delete(url)
  })
}
