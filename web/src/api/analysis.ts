/** Requests of the analysis page: the opening explorer, stored trees and stored reviews. */
import { ApiError, BASE, post, firstFrame, request } from './client'
import type { Opening, Remark, Review, ReviewRequest, Sources } from './model'

/** The engine's name, stored with a review. */
const ENGINE = 'PÜNCT'

export const analysis = {
  /** What was played in a position. */
  explore: (position: string, sources: readonly (keyof Sources)[], signal?: AbortSignal) => {
    const query = new URLSearchParams([['position', position], ...sources.map((source) => ['source', source])])
    return request<Opening>('GET', `/explorer?${query.toString()}`, { signal })
  },
  saveTree: (tree: string) => post<{ id: string }>('/analyses', { tree }).then((answer) => answer.id),
  loadTree: (id: string) =>
    request<{ tree: string }>('GET', `/analyses/${encodeURIComponent(id)}`).then((answer) => answer.tree),
  recordOf: (game: string) =>
    request<string>('GET', `/games/${encodeURIComponent(game)}/record?format=text`, { text: true }),
  pictureUrl: (position: string) => `${BASE}/picture.png?${new URLSearchParams({ position, size: '1024' }).toString()}`,
  /** The URL of an animation of moves from a position; of very many moves, it shows the last. */
  animationUrl(position: string, turns: readonly string[], theme: 'light' | 'dark'): string {
    const query = { position, turns: turns.join(' '), from: firstFrame(turns.length), theme }
    return `${BASE}/animation.gif?${new URLSearchParams(query).toString()}`
  },
  /** Convert a record to another format, with its comments and variations. */
  convert: (text: string, format: 'text' | 'sgf') =>
    request<{ text: string }>('POST', '/records/convert', { body: { text, format } }).then((answer) => answer.text),
  /** Load the review stored with a game; null if there is none. */
  loadReview: async (game: string): Promise<Review | null> => {
    try {
      return await request<Review>('GET', reviewPath(game))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unknown_review') return null
      throw error
    }
  },
  saveReview: (game: string, nodes: number, { start, turns }: { start: number; turns: readonly Remark[] }) => {
    const reviewedMoves = turns.map(({ turn, chance, given_away, proven, judgement, best }) => ({
      turn,
      chance,
      given_away,
      proven,
      judgement,
      best,
    }))
    const body: ReviewRequest = { engine: ENGINE, nodes, start, turns: reviewedMoves }
    return request<Review>('PUT', reviewPath(game), { body })
  },
}

function reviewPath(game: string): string {
  return `/games/${encodeURIComponent(game)}/review`
}
