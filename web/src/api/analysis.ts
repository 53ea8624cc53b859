/** What is asked of a server beside an analysis: what others played here, and a place to keep trees and reviews. */
import { ApiError, BASE, post, firstFrame, request } from './client'
import type { Opening, Remark, Review, ReviewRequest, Sources } from './model'

/** Who has looked, for reviews that are kept. */
const ENGINE = 'PÜNCT'

export const analysis = {
  /** What was played in a position. */
  explore: (position: string, sources: readonly (keyof Sources)[], signal?: AbortSignal) => {
    const query = new URLSearchParams([['position', position], ...sources.map((source) => ['source', source])])
    return request<Opening>('GET', `/explorer?${query.toString()}`, { signal })
  },
  keep: (tree: string) => post<{ id: string }>('/analyses', { tree }).then((answer) => answer.id),
  kept: (id: string) =>
    request<{ tree: string }>('GET', `/analyses/${encodeURIComponent(id)}`).then((answer) => answer.tree),
  recordOf: (game: string) =>
    request<string>('GET', `/games/${encodeURIComponent(game)}/record?format=text`, { text: true }),
  pictureUrl: (position: string) => `${BASE}/picture.png?${new URLSearchParams({ position, size: '1024' }).toString()}`,
  /** Turns from a position as a picture that moves; of very many, the last. */
  animationUrl(position: string, turns: readonly string[], theme: 'light' | 'dark'): string {
    const asked = { position, turns: turns.join(' '), from: firstFrame(turns.length), theme }
    return `${BASE}/animation.gif?${new URLSearchParams(asked).toString()}`
  },
  /** A record in another format, with its comments and variations. */
  convert: (text: string, format: 'text' | 'sgf') =>
    request<{ text: string }>('POST', '/records/convert', { body: { text, format } }).then((answer) => answer.text),
  /** The review that is kept with a game; null if there is none. */
  review: async (game: string): Promise<Review | null> => {
    try {
      return await request<Review>('GET', reviewOf(game))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unknown_review') return null
      throw error
    }
  },
  keepReview: (game: string, nodes: number, { start, turns }: { start: number; turns: readonly Remark[] }) => {
    const told = turns.map(({ turn, chance, given_away, proven, judgement, best }) => ({
      turn,
      chance,
      given_away,
      proven,
      judgement,
      best,
    }))
    const body: ReviewRequest = { engine: ENGINE, nodes, start, turns: told }
    return request<Review>('PUT', reviewOf(game), { body })
  },
}

function reviewOf(game: string): string {
  return `/games/${encodeURIComponent(game)}/review`
}
