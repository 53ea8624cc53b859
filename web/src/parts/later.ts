/**
 * What the page needs only where it does without the server: loaded then. Once the page was open, the browser has it
 * (see the service worker); where it has not, there is nobody to ask.
 */
import type { Kernel } from '../kernel/kernel'
import type * as LocalGames from '../local/games'
import { ApiError, OFFLINE } from '../net/client'

function gone(): never {
  throw new ApiError(0, OFFLINE, 'This part of the page is not here.')
}

/** The kernel, for one owner of searches. */
export async function loadKernel(): Promise<Kernel> {
  return (await import('../kernel/kernel').catch(gone)).openKernel()
}

/** The games in this browser. */
export function loadLocal(): Promise<typeof LocalGames> {
  return import('../local/games').catch(gone)
}
