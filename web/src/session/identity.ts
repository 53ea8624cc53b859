/** Gives visitors an identity. */
import { api } from '../api/client'
import { me, isOnline, setMe } from './me.svelte'

/**
 * Become a guest of the server, by a name if one is given, before a request that must not be repeated: a visitor
 * without an identity would get another one with each request, and what was created would belong to nobody.
 */
export async function ensureIdentity(requestedName = ''): Promise<void> {
  const { player } = me()
  const name = requestedName.trim()
  if (!isOnline() || player?.login) return
  if (!player || (name && name !== player.name)) setMe(await api.enter(name || null))
}
