/** A game, wherever it is kept. */
import { type GameSource, ServerGame } from '../api/gameSource'
import { go, route } from '../browser/router.svelte'
import { loadLocal } from '../local/lazy'
import { Latest, STALE } from '../requests/latest'
import { online } from '../session/me.svelte'

/** Find a game; `local` if this browser keeps it. Null if the page goes elsewhere, as to where the server keeps it. */
export async function openGame(id: string, local: boolean, further = ''): Promise<GameSource | null> {
  if (!local) return ServerGame.open(id, online())
  const found = await new Latest(() => [route()]).run(async () => (await loadLocal()).open(id))
  // Whoever has gone elsewhere is not called back.
  if (found === STALE) return null
  if (!('handed' in found)) return found
  go(`/game/${found.handed.id}${further}`, { replace: true })
  return null
}
