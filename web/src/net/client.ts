/** The server's API, typed. Every refusal becomes an `ApiError` with the server's code. */
import { missed, reached } from './connection.svelte'
import type {
  Board,
  Colour,
  Explanation,
  Game,
  GameList,
  GameSummary,
  Hint,
  Level,
  NewGame,
  PositionView,
} from './model'

const BASE = '/api/v1'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }

  /** The rule a turn breaks, if that is what the server objects to. */
  get reason(): string | undefined {
    const reason = this.detail['reason']
    return typeof reason === 'string' ? reason : undefined
  }
}

/** The server could not be reached, or did not answer as one of ours. */
export const OFFLINE = 'offline'

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response
  try {
    response = await fetch(BASE + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    missed()
    throw new ApiError(0, OFFLINE, 'The server cannot be reached.')
  }
  reached()
  if (response.status === 204) return undefined as T
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as T
  const error = (answer as { error?: { code?: string; message?: string; detail?: Record<string, unknown> } } | null)
    ?.error
  throw new ApiError(
    response.status,
    error?.code ?? OFFLINE,
    error?.message ?? response.statusText,
    error?.detail ?? {},
  )
}

const game = (id: string): string => `/games/${encodeURIComponent(id)}`

export const api = {
  board: () => ask<Board>('GET', '/board'),
  levels: () => ask<{ levels: Level[] }>('GET', '/levels').then((answer) => answer.levels),
  view: (position: string, turns: readonly string[] = []) =>
    ask<PositionView>('POST', '/positions/view', { position, turns }),
  explainAt: (position: string, turns: readonly string[], text: string) =>
    ask<Explanation>('POST', '/positions/explain', { position, turns, text }),
  games: (offset = 0, limit = 20) => ask<GameList>('GET', `/games?offset=${offset}&limit=${limit}`),
  create: (wanted: Partial<NewGame>) => ask<Game>('POST', '/games', wanted),
  game: (id: string) => ask<Game>('GET', game(id)),
  remove: (id: string) => ask<undefined>('DELETE', game(id)),
  position: (id: string, ply: number) => ask<PositionView>('GET', `${game(id)}/positions/${ply}`),
  play: (id: string, text: string, ply: number) => ask<Game>('POST', `${game(id)}/turns`, { text, ply }),
  undo: (id: string, ply: number) => ask<Game>('POST', `${game(id)}/undo`, { ply }),
  resign: (id: string, colour: Colour | null) => ask<Game>('POST', `${game(id)}/resign`, { colour }),
  draw: (id: string) => ask<Game>('POST', `${game(id)}/draw`),
  explain: (id: string, text: string, ply: number) => ask<Explanation>('POST', `${game(id)}/explain`, { text, ply }),
  hint: (id: string, signal?: AbortSignal) => ask<Hint>('POST', `${game(id)}/hint`, undefined, signal),
  takeIn: (text: string) => ask<{ games: GameSummary[] }>('POST', '/records', { text }).then((answer) => answer.games),
  recordUrl: (id: string, format: 'text' | 'sgf') => `${BASE}${game(id)}/record?format=${format}`,
  pictureUrl: (id: string, form: 'svg' | 'png', ply: number, theme: 'light' | 'dark') =>
    `${BASE}${game(id)}/picture.${form}?ply=${ply}&theme=${theme}`,
}
