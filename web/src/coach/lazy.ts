/** The coach's door: what it is made of, and its texts, are loaded when somebody wants one. */
import { openChapter } from '../i18n/index.svelte'
import { loadKernel } from '../kernel/lazy'
import type { CoachContext, GameCoach } from './gameCoach.svelte'

async function load(context: CoachContext): Promise<GameCoach> {
  // An owner of searches for each that searches: none ends another's.
  const [{ GameCoach }, asks, shows, looks] = await Promise.all([
    import('./gameCoach.svelte'),
    loadKernel(),
    loadKernel(),
    loadKernel(),
    openChapter('coach'),
  ])
  return new GameCoach(context, { asks, shows, looks })
}

/** Have a coach sit down beside a game; returns how to send it away. Where it cannot come, there is simply none. */
export function attachCoach(context: CoachContext & { coach: GameCoach | null }): () => void {
  let left = false
  load(context).then(
    (coach) => {
      if (left) coach.close()
      else context.coach = coach
    },
    () => undefined,
  )
  return () => {
    left = true
    context.coach?.close()
    context.coach = null
  }
}
