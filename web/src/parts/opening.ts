/** A game, wherever it is kept. */
import { type GameSource, ServedGame } from '../net/source'
import { loadLocal } from './later'
import { online } from './me.svelte'
import { go } from './router.svelte'

/** Find a game; `local` if this browser keeps it. Null if the page goes to where the server keeps it now. */
export async function openGame(id: string, local: boolean, further = ''): Promise<GameSource | null> {
  if (!local) return ServedGame.open(id, online())
  const found = await (await loadLocal()).open(id)
  if (!('handed' in found)) return found
  go(`/game/${found.handed.id}${further}`, { replace: true })
  return null
}
