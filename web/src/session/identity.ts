/** Becoming somebody here. */
import { people } from '../api/online'
import { me, online, setMe } from './me.svelte'

/**
 * Be known to the server, by a name if one is wished, before something is asked of it that must not be done twice: a
 * stranger would be somebody else each time it is asked, and what was done would belong to nobody.
 */
export async function ensureIdentity(wished = ''): Promise<void> {
  const { player } = me()
  const name = wished.trim()
  if (!online() || player?.login) return
  if (!player || (name && name !== player.name)) setMe(await people.enter(name || null))
}
