/** The server's API, typed. Every refusal becomes an `ApiError` with the server's code. */
import { Backoff } from './backoff'
import { HAS_SERVER, isOffline, reportReachable, reportUnreachable, retryNow } from './connection.svelte'
import type {
  Board,
  Colour,
  Curve,
  ErrorAnswer,
  Explanation,
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

  /** The rule a turn breaks, if that is what the server objects to. */
  get reason(): string | undefined {
    const reason = this.detail['reason']
    return typeof reason === 'string' ? reason : undefined
  }
}

/** The server could not be reached, or something else answered in its place. */
export const OFFLINE = 'offline'

/** How long an answer may take before nobody waits for it any more: a line can be dead without saying so. */
const TIMEOUT_MS = 20_000
/** The same where the server has much to think about or to read. */
const LONG_TIMEOUT_MS = 120_000

interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number
  /** The same key asked again is the same wish, not another one; without one, every change has a new one. */
  readonly key?: string
  /** The answer is a plain text, not JSON. */
  readonly text?: boolean
}

/** The server does not know who asks, or does not let them: perhaps they are no longer who they were. */
const UNKNOWN = 401
const FORBIDDEN = 403
const listeners = new Set<() => void>()

/** Be told when the server refuses something because of who asks; returns how to stop it. */
export function onAccessDenied(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  if (!HAS_SERVER) throw new ApiError(0, OFFLINE, 'There is no server.')
  const { body, signal, timeout = TIMEOUT_MS, key = method === 'GET' ? null : newKey(), text = false } = options
  const hangUp = new AbortController()
  const timer = setTimeout(() => hangUp.abort(), timeout)
  const withdraw = (): void => hangUp.abort()
  signal?.addEventListener('abort', withdraw)
  const asked = Date.now()
  try {
    const response = await fetch(BASE + path, {
      method,
      signal: hangUp.signal,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key ? { 'Idempotency-Key': key } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    updateServerTime(response.headers.get('Date'), 1000, asked, Date.now())
    const answer: unknown = response.status === 204 ? undefined : await content(response, text)
    if (!response.ok) throw refusal(response, answer)
    reportReachable()
    return answer as T
  } catch (error) {
    if (signal?.aborted) throw error
    if (error instanceof ApiError) {
      reportReachable()
      if (error.status === UNKNOWN || error.status === FORBIDDEN) for (const listener of listeners) listener()
      throw error
    }
    reportUnreachable()
    throw new ApiError(0, OFFLINE, 'The server cannot be reached.')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', withdraw)
  }
}

/** What an answer says. A page where plain text should be comes from something that stands in the server's way. */
async function content(response: Response, text: boolean): Promise<unknown> {
  if (!text || !response.ok) return response.json()
  if (!response.headers.get('Content-Type')?.startsWith('text/plain')) throw new Error('this is not the server')
  return response.text()
}

/** The server's own refusal; what does not look like one comes from something that stands in its way. */
function refusal(response: Response, answer: unknown): Error {
  const error = (answer as Partial<ErrorAnswer> | null)?.error
  if (!error?.code) return new Error(response.statusText)
  return new ApiError(response.status, error.code, error.message, error.detail ?? {})
}

/** How often a change is asked for again, and how long that goes on at most after the first time. */
const MAX_TRIES = 4
const GIVE_UP = 25_000
/** The server is being renewed, or cannot store just now: it has changed nothing, and in a moment it may. */
const PASSING: readonly string[] = ['stopping', 'store_busy']

/** Whether something was refused only because there is no connection, or nobody who can do it just now. */
export function isTemporary({ code }: ApiError): boolean {
  return code === OFFLINE || PASSING.includes(code)
}

/** Whether something was never sent, for it was known that nobody answers: then it was certainly not done. */
export function isUnsent(error: ApiError): boolean {
  return error.detail['sent'] === false
}

/**
 * Ask for a change. If the answer gets lost nobody knows whether it was made; and a server that is being renewed makes
 * none. So it is asked for again with its key, and made once; but where nobody answers before it was sent at all, it is
 * not, and whoever wishes for it is told at once.
 */
export async function requestChange<T>(
  method: string,
  path: string,
  { tries = MAX_TRIES, ...options }: Omit<RequestOptions, 'text'> & { readonly tries?: number } = {},
): Promise<T> {
  const keyed = { ...options, key: options.key ?? newKey() }
  const backoff = new Backoff(600, 2000)
  if (HAS_SERVER && isOffline()) await retryNow()
  if (isOffline()) throw new ApiError(0, OFFLINE, 'The server cannot be reached.', { sent: false })
  const begun = Date.now()
  for (let tried = 1; ; tried++) {
    try {
      return await request<T>(method, path, keyed)
    } catch (error) {
      const passes = error instanceof ApiError && isTemporary(error)
      if (!passes || tried === tries || Date.now() - begun > GIVE_UP) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, backoff.next()))
  }
}

/** Ask for something to be made. */
export function post<T>(path: string, body?: unknown): Promise<T> {
  return requestChange<T>('POST', path, { body })
}

/** A name that nothing else has. (`crypto.randomUUID` is not there on a page that came without encryption.) */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** As many positions the server draws in one picture that moves. */
const MOST_FRAMES = 160

/** Where such a picture begins that ends after so many turns. */
export function firstFrame(ply: number): string {
  return String(Math.max(0, ply - MOST_FRAMES + 1))
}

const game = (id: string): string => `/games/${encodeURIComponent(id)}`

export const api = {
  me: () => request<Me>('GET', '/me'),
  keepSettings: (settings: object) => request<Me>('PATCH', '/me', { body: { settings } }),
  board: () => request<Board>('GET', '/board'),
  levels: () => request<{ levels: Level[] }>('GET', '/levels').then((answer) => answer.levels),
  view: (position: string, turns: readonly string[] = []) =>
    request<PositionView>('POST', '/positions/view', { body: { position, turns } }),
  explainTapAt: (position: string, turns: readonly string[], text: string) =>
    request<Explanation>('POST', '/positions/explain', { body: { position, turns, text, any_heading: true } }),
  games: (offset = 0, limit = 20) => request<GameList>('GET', `/games?offset=${offset}&limit=${limit}`),
  results: () => request<{ results: LevelResult[] }>('GET', '/results').then((answer) => answer.results),
  /** Begin a game; the same key always stands for the same one. Who is not answered may begin one in the browser. */
  create: (wanted: Partial<NewGame>, key?: string) =>
    requestChange<Game>('POST', '/games', { body: wanted, tries: 2, ...(key ? { key } : {}) }),
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
    const asked = Date.now()
    const you = await request<You>('GET', `${game(id)}/you`)
    updateServerTime(you.now, 0, asked, Date.now())
    return you
  },
  offer: (id: string, kind: OfferKind) => post<Game>(`${game(id)}/offers`, { kind }),
  accept: (id: string, kind: OfferKind) => post<Game>(`${game(id)}/offers/accept`, { kind }),
  /** Decline what the other side offers, or withdraw what one has offered. */
  refuse: (id: string) => requestChange<Game>('DELETE', `${game(id)}/offers`),
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
  takeIn: (text: string) =>
    requestChange<{ games: GameSummary[] }>('POST', '/records', { body: { text }, timeout: LONG_TIMEOUT_MS }).then(
      (answer) => answer.games,
    ),
  recordUrl: (id: string, format: 'text' | 'sgf') => `${BASE}${game(id)}/record?format=${format}`,
  pictureUrl: (id: string, form: 'svg' | 'png', ply: number, theme: 'light' | 'dark') =>
    `${BASE}${game(id)}/picture.${form}?ply=${ply}&theme=${theme}`,
  /** A game as a picture that moves, up to a ply; of very many turns, the last. */
  animationUrl: (id: string, ply: number, theme: 'light' | 'dark') =>
    `${BASE}${game(id)}/animation.gif?from=${firstFrame(ply)}&to=${ply}&theme=${theme}`,
}
