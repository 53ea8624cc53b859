import { tabLocks } from './storage'

/** Do something while no other tab does; where a browser cannot tell, the store sees that nothing is done twice. */
export async function withTabLock(name: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const locks = tabLocks()
  let begun = false
  const once = (): Promise<void> => ((begun = true), work())
  try {
    if (locks) return await locks.request(name, signal ? { signal } : {}, once)
  } catch (error) {
    // Where site data is blocked, so are locks; what the work itself threw is the work's.
    if (begun || !(error instanceof DOMException && error.name === 'SecurityError')) throw error
  }
  await work()
}
