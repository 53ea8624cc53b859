/** What is asked of a server beside an analysis: what others played here, and a place to keep a tree. */
import { ask, made } from './client'
import type { Opening, Sources } from './model'

export const analysis = {
  /** What was played in a position. */
  explore: (position: string, sources: readonly (keyof Sources)[], signal?: AbortSignal) => {
    const query = new URLSearchParams([['position', position], ...sources.map((source) => ['source', source])])
    return ask<Opening>('GET', `/explorer?${query.toString()}`, { signal })
  },
  keep: (tree: string) => made<{ id: string }>('/analyses', { tree }).then((answer) => answer.id),
  kept: (id: string) =>
    ask<{ tree: string }>('GET', `/analyses/${encodeURIComponent(id)}`).then((answer) => answer.tree),
  recordOf: async (game: string): Promise<string> => {
    const answer = await fetch(`/api/v1/games/${encodeURIComponent(game)}/record?format=text`)
    return answer.text()
  },
}
