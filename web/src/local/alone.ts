/** Do something while no other tab does; where a browser cannot tell, the store sees that nothing is done twice. */
export async function alone(name: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const { locks } = navigator as { locks?: LockManager }
  if (locks) await locks.request(name, signal ? { signal } : {}, work)
  else await work()
}
