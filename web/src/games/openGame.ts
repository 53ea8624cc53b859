/** Opens a game, wherever it is stored. */
import type { GameSource } from '../api/gameSource'
import { ServerGame } from '../api/serverGame'
import { go, route } from '../browser/router.svelte'
import { loadLocal } from '../local/lazy'
import { Latest, STALE } from '../requests/latest'
import { isOnline } from '../session/me.svelte'

/**
 * Open a game; `local` if this browser stores it. Null if the page goes elsewhere: an uploaded game is opened from the
 * server.
 */
export async function openGame(id: string, local: boolean, subpath = ''): Promise<GameSource | null> {
  if (!local) return ServerGame.open(id, isOnline())
  const result = await new Latest(() => [route()]).run(async () => (await loadLocal()).open(id))
  // The player has gone to another page.
  if (result === STALE) return null
  if (!('handed' in result)) return result
  go(`/game/${result.handed.id}${subpath}`, { replace: true })
  return null
}
