/** Loads the coach and its texts on demand. */
import { openChapter } from '../i18n/index.svelte'
import { loadKernel } from '../kernel/lazy'
import type { CoachContext, GameCoach } from './gameCoach.svelte'

async function load(context: CoachContext): Promise<GameCoach> {
  // A kernel for each that searches: none ends another's search.
  const [{ GameCoach }, questions, variations, review] = await Promise.all([
    import('./gameCoach.svelte'),
    loadKernel(),
    loadKernel(),
    loadKernel(),
    openChapter('coach'),
  ])
  return new GameCoach(context, { questions, variations, review })
}

/** Attach a coach to a game; returns the function to detach it. If it cannot be loaded, there is none. */
export function attachCoach(context: CoachContext & { coach: GameCoach | null }): () => void {
  let isDetached = false
  load(context).then(
    (coach) => {
      if (isDetached) coach.close()
      else context.coach = coach
    },
    () => undefined,
  )
  return () => {
    isDetached = true
    context.coach?.close()
    context.coach = null
  }
}
