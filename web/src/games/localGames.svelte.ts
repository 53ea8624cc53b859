/**
 * Games in this browser, for the pages: created where there is no server, listed with the server's, and uploaded when
 * the server is back. No code of it is loaded while there is no such game and no need of one.
 */
import { Backoff } from '../api/backoff'
import { ApiError } from '../api/client'
import { HAS_SERVER, isOffline, onReconnect } from '../api/connection.svelte'
import type { NewGame } from '../api/model'
import { database } from '../browser/storage'
import { withTabLock } from '../browser/tabLock'
import { DATABASE } from '../local/database'
import type { LocalGameList } from '../local/games'
import { loadLocal } from '../local/lazy'
import { ensureIdentity } from '../session/identity'
import { loadMe } from '../session/me.svelte'
import { errorWords } from '../ui/errors'

interface LocalGamesState extends LocalGameList {
  /** Why they cannot be listed, or why the server did not accept them. */
  readonly error: string
  /** Whether the list was loaded. */
  readonly isLoaded: boolean
}

const EMPTY: LocalGamesState = { games: [], damaged: [], results: [], error: '', isLoaded: false }

let state = $state.raw<LocalGamesState>(EMPTY)
/** The server's error when it did not accept a game. */
let uploadError = ''
let isSubscribed = false
/** The backoff before the next upload to an overloaded server. */
const backoff = new Backoff(30_000, 600_000)
let timer: ReturnType<typeof setTimeout> | undefined
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/** The games stored in this browser. */
export function localGames(): LocalGamesState {
  return state
}

/** Whether this browser may have games, without loading or opening anything where it certainly has none. */
async function mayHaveGames(): Promise<boolean> {
  const databases = database()
  if (!databases) return false
  try {
    return (await databases.databases()).some(({ name }) => name === DATABASE)
  } catch {
    // An old browser cannot list its databases.
    return true
  }
}

async function refresh(): Promise<void> {
  try {
    const { list, store } = await loadLocal()
    if (!isSubscribed) store.subscribe(() => void refresh())
    isSubscribed = true
    state = { ...(await list()), error: uploadError, isLoaded: true }
  } catch (error) {
    // While the server can be reached, nobody needs to know that the browser would store nothing.
    state = { ...EMPTY, error: isOffline() ? errorWords(error) : '', isLoaded: true }
  }
}

/** Create a game here; returns its path. `key` is an idempotency key with which the server may have created it, too. */
export async function startLocalGame(options: Partial<NewGame>, key: string | null): Promise<string> {
  const path = await (await loadLocal()).create(options, key)
  void refresh()
  return path
}

/** Delete a game for good. */
export async function removeLocalGame(id: string): Promise<void> {
  await (await loadLocal()).store.remove(id)
}

/**
 * Upload all games, if the server can be reached, under the player's own identity. One tab at a time: a visitor without
 * an identity would get another one in each.
 */
async function uploadGames(): Promise<void> {
  if (!isOffline() && (await mayHaveGames())) await withTabLock('punct.handover', uploadWithIdentity)
}

async function uploadWithIdentity(): Promise<void> {
  let failure: ApiError | null
  try {
    const { uploadEverything, hasUploads } = await loadLocal()
    if (isOffline() || !(await hasUploads())) return
    await loadMe()
    await ensureIdentity()
    failure = await uploadEverything()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    failure = error
  }
  uploadError = failure && !isOffline() ? errorWords(failure) : ''
  scheduleUpload(failure)
  await refresh()
}

/** Schedule the next upload to an overloaded server with backoff; an unreachable one reports when it is back. */
function scheduleUpload(error: ApiError | null): void {
  clearTimeout(timer)
  if (error && !isOffline() && (error.status === TOO_MANY_REQUESTS || error.status >= SERVER_ERROR)) {
    timer = setTimeout(() => void uploadGames(), backoff.next())
  } else backoff.reset()
}

/** List the games, and upload them now and whenever the server is back; called once by the page. */
export function keepUploading(): () => void {
  void mayHaveGames().then(async (hasGames) => {
    if (hasGames) await refresh()
    else state = { ...EMPTY, isLoaded: true }
    await uploadGames()
  })
  return HAS_SERVER ? onReconnect(() => void uploadGames()) : () => undefined
}
