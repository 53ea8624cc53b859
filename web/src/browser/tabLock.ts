import { tabLocks } from './storage'

/** Do something while no other tab does; without tab locks, the store makes sure that nothing is done twice. */
export async function withTabLock(name: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const locks = tabLocks()
  let hasStarted = false
  const runWork = (): Promise<void> => ((hasStarted = true), work())
  try {
    if (locks) return await locks.request(name, signal ? { signal } : {}, runWork)
  } catch (error) {
    // Where site data is blocked, so are locks; what the work itself threw is the work's.
    if (hasStarted || !(error instanceof DOMException && error.name === 'SecurityError')) throw error
  }
  await work()
}
