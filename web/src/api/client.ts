/** The server's API, typed. Every error response becomes an `ApiError` with the server's code. */
import { Backoff } from './backoff'
import { HAS_SERVER, isOffline, reportReachable, reportUnreachable, retryNow } from './connection.svelte'
import type {
  Board,
  Colour,
  Curve,
  ErrorAnswer,
  Explanation,
  FoundGames,
  Game,
  GameList,
  GameSummary,
  Greeting,
  Hint,
  Level,
  LevelResult,
  Me,
  NewGame,
  OfferKind,
  PositionView,
  You,
} from './model'
import { updateServerTime } from './serverTime'

export const BASE = '/api/v1'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }

  /** The rule that a move breaks, if that is what the server objects to. */
  get reason(): string | undefined {
    const reason = this.detail['reason']
    return typeof reason === 'string' ? reason : undefined
  }
}

/** The server could not be reached, or something else answered in its place. */
export const OFFLINE = 'offline'

/** Throw the error for a part of the page that could not be fetched. */
export function notLoaded(): never {
  throw new ApiError(0, OFFLINE, 'This part of the page is not here.')
}

/** A request is aborted after this long: a connection can be dead without being closed. */
const TIMEOUT_MS = 20_000
/** The same where the server has much to compute or to read. */
const LONG_TIMEOUT_MS = 120_000

interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number
  /** The idempotency key: repeated with the same key, a change is made once. By default every change has a new key. */
  readonly key?: string
  /** The response is plain text, not JSON. */
  readonly text?: boolean
}

/** The server does not know who makes the request, or does not allow it: the session may have ended meanwhile. */
const UNAUTHENTICATED = 401
const FORBIDDEN = 403
const listeners = new Set<() => void>()

/** Call a listener whenever the server denies access; returns the unsubscribe function. */
export function onAccessDenied(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  if (!HAS_SERVER) throw new ApiError(0, OFFLINE, 'There is no server.')
  const { body, signal, timeout = TIMEOUT_MS, key = method === 'GET' ? null : newKey(), text = false } = options
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeout)
  const cancel = (): void => controller.abort()
  signal?.addEventListener('abort', cancel)
  const sentAt = Date.now()
  try {
    const response = await fetch(BASE + path, {
      method,
      signal: controller.signal,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key ? { 'Idempotency-Key': key } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    updateServerTime(response.headers.get('Date'), 1000, sentAt, Date.now())
    const result: unknown = response.status === 204 ? undefined : await readBody(response, text)
    if (!response.ok) throw errorOf(response, result)
    reportReachable()
    return result as T
  } catch (error) {
    if (signal?.aborted) throw error
    if (error instanceof ApiError) {
      reportReachable()
      if (error.status === UNAUTHENTICATED || error.status === FORBIDDEN) for (const listener of listeners) listener()
      throw error
    }
    reportUnreachable()
    throw new ApiError(0, OFFLINE, 'The server cannot be reached.')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

/** Read the body of a response. HTML where plain text is expected comes from something in the server's way. */
async function readBody(response: Response, text: boolean): Promise<unknown> {
  if (!text || !response.ok) return response.json()
  if (!response.headers.get('Content-Type')?.startsWith('text/plain')) throw new Error('this is not the server')
  return response.text()
}

/** The error of a response; what is no `ErrorAnswer` comes from something in the server's way. */
function errorOf(response: Response, body: unknown): Error {
  const error = (body as Partial<ErrorAnswer> | null)?.error
  if (!error?.code) return new Error(response.statusText)
  return new ApiError(response.status, error.code, error.message, error.detail ?? {})
}

/** A change is sent at most so often, and not again when so much time has passed since the first attempt. */
const MAX_ATTEMPTS = 4
const GIVE_UP_AFTER_MS = 25_000
/** The server is being restarted, or cannot store just now: it has changed nothing, and soon may. */
const TEMPORARY_CODES: readonly string[] = ['stopping', 'store_busy']

/** Whether a request failed only because there is no connection, or the server cannot do it just now. */
export function isTemporary({ code }: ApiError): boolean {
  return code === OFFLINE || TEMPORARY_CODES.includes(code)
}

/** Whether a request was never sent, as the server was known to be unreachable: then nothing was changed. */
export function isUnsent(error: ApiError): boolean {
  return error.detail['sent'] === false
}

/**
 * Send a change, and retry it with the same idempotency key while the failure is temporary: if a response gets lost
 * nobody knows whether the change was made, and with its key it is made once. If the server is known to be unreachable
 * before the first attempt, it fails at once.
 */
export async function requestChange<T>(
  method: string,
  path: string,
  { tries: attempts = MAX_ATTEMPTS, ...options }: Omit<RequestOptions, 'text'> & { readonly tries?: number } = {},
): Promise<T> {
  const keyedOptions = { ...options, key: options.key ?? newKey() }
  const backoff = new Backoff(600, 2000)
  if (HAS_SERVER && isOffline()) await retryNow()
  if (isOffline()) throw new ApiError(0, OFFLINE, 'The server cannot be reached.', { sent: false })
  const startedAt = Date.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await request<T>(method, path, keyedOptions)
    } catch (error) {
      const canRetry = error instanceof ApiError && isTemporary(error)
      if (!canRetry || attempt === attempts || Date.now() - startedAt > GIVE_UP_AFTER_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, backoff.next()))
  }
}

/** Send a change with POST. */
export function post<T>(path: string, body?: unknown): Promise<T> {
  return requestChange<T>('POST', path, { body })
}

/** A random key. (`crypto.randomUUID` is missing on a page that came without encryption.) */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The server draws at most so many positions in one animation. */
const MAX_FRAMES = 160

/** The first ply of an animation that ends at a ply. */
export function firstFrame(ply: number): string {
  return String(Math.max(0, ply - MAX_FRAMES + 1))
}

const game = (id: string): string => `/games/${encodeURIComponent(id)}`

export const api = {
  me: () => request<Me>('GET', '/me'),
  /** Take a name; creates a guest for a visitor without an identity. */
  enter: (name: string | null = null) => request<Me>('POST', '/me', { body: { name } }),
  saveSettings: (settings: object) => request<Me>('PATCH', '/me', { body: { settings } }),
  board: () => request<Board>('GET', '/board'),
  levels: () => request<{ levels: Level[] }>('GET', '/levels').then((answer) => answer.levels),
  view: (position: string, turns: readonly string[] = []) =>
    request<PositionView>('POST', '/positions/view', { body: { position, turns } }),
  explainTapAt: (position: string, turns: readonly string[], text: string) =>
    request<Explanation>('POST', '/positions/explain', { body: { position, turns, text, any_heading: true } }),
  /** The player's running games; those that wait for a move of theirs come first. */
  runningGames: () => request<GameList>('GET', '/games?running=true&limit=50'),
  games: (offset = 0, limit = 20) => request<GameList>('GET', `/games?offset=${offset}&limit=${limit}`),
  /** Search one's own games; `query` has the filters, and where a later page begins. */
  findGames: (query: URLSearchParams) => request<FoundGames>('GET', `/me/games?${query.toString()}`),
  downloadUrl: (query: URLSearchParams) => `${BASE}/me/games/download?${query.toString()}`,
  results: () => request<{ results: LevelResult[] }>('GET', '/results').then((answer) => answer.results),
  /**
   * Create a game; the same key always stands for the same one. Without a response the game may be created in the
   * browser.
   */
  create: (options: Partial<NewGame>, key?: string) =>
    requestChange<Game>('POST', '/games', { body: options, tries: 2, ...(key ? { key } : {}) }),
  game: (id: string) => request<Game>('GET', game(id)),
  remove: (id: string) => requestChange<undefined>('DELETE', game(id)),
  position: (id: string, ply: number) => request<PositionView>('GET', `${game(id)}/positions/${ply}`),
  play: (id: string, text: string, ply: number, key: string) =>
    requestChange<Game>('POST', `${game(id)}/turns`, { body: { text, ply }, key }),
  undo: (id: string, ply: number) => post<Game>(`${game(id)}/undo`, { ply }),
  redo: (id: string, ply: number) => post<Game>(`${game(id)}/redo`, { ply }),
  resign: (id: string, colour: Colour | null) => post<Game>(`${game(id)}/resign`, { colour }),
  draw: (id: string) => post<Game>(`${game(id)}/draw`),
  you: async (id: string): Promise<You> => {
    const sentAt = Date.now()
    const you = await request<You>('GET', `${game(id)}/you`)
    updateServerTime(you.now, 0, sentAt, Date.now())
    return you
  },
  offer: (id: string, kind: OfferKind) => post<Game>(`${game(id)}/offers`, { kind }),
  accept: (id: string, kind: OfferKind) => post<Game>(`${game(id)}/offers/accept`, { kind }),
  /** Decline the opponent's offer, or withdraw one's own. */
  refuse: (id: string) => requestChange<Game>('DELETE', `${game(id)}/offers`),
  /** End a pause that both players agreed to. */
  resume: (id: string) => post<Game>(`${game(id)}/resume`),
  abort: (id: string) => post<undefined>(`${game(id)}/abort`),
  greet: (id: string, greeting: Greeting) =>
    request<undefined>('POST', `${game(id)}/greetings`, { body: { greeting } }),
  ratingCurve: (player: string, pool: string) =>
    request<Curve>('GET', `/players/${encodeURIComponent(player)}/ratings/${pool}`),
  explain: (id: string, text: string, ply: number) =>
    request<Explanation>('POST', `${game(id)}/explain`, { body: { text, ply } }),
  explainTap: (id: string, text: string, ply: number) =>
    request<Explanation>('POST', `${game(id)}/explain`, { body: { text, ply, any_heading: true } }),
  hint: (id: string, signal?: AbortSignal) =>
    request<Hint>('POST', `${game(id)}/hint`, { signal, timeout: LONG_TIMEOUT_MS }),
  importGames: (text: string) =>
    requestChange<{ games: GameSummary[] }>('POST', '/records', { body: { text }, timeout: LONG_TIMEOUT_MS }).then(
      (answer) => answer.games,
    ),
  recordUrl: (id: string, format: 'text' | 'sgf') => `${BASE}${game(id)}/record?format=${format}`,
  pictureUrl: (id: string, form: 'svg' | 'png', ply: number, theme: 'light' | 'dark') =>
    `${BASE}${game(id)}/picture.${form}?ply=${ply}&theme=${theme}`,
  /** The URL of a game's animation up to a ply; of very many moves, it shows the last. */
  animationUrl: (id: string, ply: number, theme: 'light' | 'dark') =>
    `${BASE}${game(id)}/animation.gif?from=${firstFrame(ply)}&to=${ply}&theme=${theme}`,
}
