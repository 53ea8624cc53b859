/**
 * Loads the kernel when something needs it. Once the page was open, the service worker has its files in the browser's
 * cache; before that, there is no kernel without a connection.
 */
import { ApiError, OFFLINE } from '../api/client'
import type { Kernel } from './kernel'

/** Throw the error for a part of the page that could not be fetched. */
export function notLoaded(): never {
  throw new ApiError(0, OFFLINE, 'This part of the page is not here.')
}

/** Open the kernel for one owner of searches. */
export async function loadKernel(): Promise<Kernel> {
  return (await import('./kernel').catch(notLoaded)).openKernel()
}
