/** The coach's door: what it is made of, and its texts, are loaded when somebody wants one. */
import { openChapter } from '../i18n/index.svelte'
import { loadKernel } from '../parts/later'
import type { Beside, Table } from './beside.svelte'

async function load(table: Table): Promise<Beside> {
  // An owner of searches for each that searches: none ends another's.
  const [{ Beside }, asks, shows, looks] = await Promise.all([
    import('./beside.svelte'),
    loadKernel(),
    loadKernel(),
    loadKernel(),
    openChapter('coach'),
  ])
  return new Beside(table, { asks, shows, looks })
}

/** Have a coach sit down beside a game; returns how to send it away. Where it cannot come, there is simply none. */
export function sitBeside(table: Table & { coach: Beside | null }): () => void {
  let left = false
  load(table).then(
    (coach) => {
      if (left) coach.close()
      else table.coach = coach
    },
    () => undefined,
  )
  return () => {
    left = true
    table.coach?.close()
    table.coach = null
  }
}
