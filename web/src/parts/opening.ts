/** A game, wherever it is kept. */
import { type GameSource, ServedGame } from '../net/source'
import { loadLocal } from './later'
import { online } from './me.svelte'
import { Latest, STALE } from '../requests/latest'
import { go, place } from './router.svelte'

/** Find a game; `local` if this browser keeps it. Null if the page goes elsewhere, as to where the server keeps it. */
export async function openGame(id: string, local: boolean, further = ''): Promise<GameSource | null> {
  if (!local) return ServedGame.open(id, online())
  const found = await new Latest(() => [place()]).ask(async () => (await loadLocal()).open(id))
  // Whoever has gone elsewhere is not called back.
  if (found === STALE) return null
  if (!('handed' in found)) return found
  go(`/game/${found.handed.id}${further}`, { replace: true })
  return null
}
