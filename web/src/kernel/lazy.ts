/**
 * Loads the kernel when something needs it. Once the page was open, the service worker has its files in the browser's
 * cache; before that, there is no kernel without a connection.
 */
import { notLoaded } from '../api/client'
import type { Kernel } from './kernel'

/** Open the kernel for one owner of searches. */
export async function loadKernel(): Promise<Kernel> {
  return (await import('./kernel').catch(notLoaded)).openKernel()
}
