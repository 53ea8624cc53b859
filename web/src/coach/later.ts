/** The coach's door: what it is made of, and its texts, are loaded when somebody wants one. */
import { openChapter } from '../i18n/index.svelte'
import { loadKernel } from '../parts/later'

/** Everything of the coach that a game shows. */
export async function loadCoach() {
  const [{ Coach }, { Hindsight }, { whyWords }, question, moments, bar] = await Promise.all([
    import('./coach.svelte'),
    import('./hindsight.svelte'),
    import('./words'),
    import('./Question.svelte'),
    import('./Moments.svelte'),
    import('./MomentBar.svelte'),
    openChapter('coach'),
  ])
  const [asks, shows, looks] = await Promise.all([loadKernel(), loadKernel(), loadKernel()])
  return {
    Coach,
    Hindsight,
    whyWords,
    Question: question.default,
    Moments: moments.default,
    MomentBar: bar.default,
    /** An owner of searches for each that searches: none ends another's. */
    kernels: { asks, shows, looks },
  }
}

export type Coaching = Awaited<ReturnType<typeof loadCoach>>
