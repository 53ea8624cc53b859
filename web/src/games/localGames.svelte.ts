/**
 * Games in this browser, for the pages: begun where there is no server, listed with the server's, and given to the
 * server when it is back. Nothing of it is loaded while there is no such game and no need of one.
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

interface Shown extends LocalGameList {
  /** Why they cannot be listed, or why the server did not take them. */
  readonly trouble: string
  /** Whether it is known what there is. */
  readonly known: boolean
}

const NOTHING: Shown = { games: [], damaged: [], results: [], trouble: '', known: false }

let shown = $state.raw<Shown>(NOTHING)
/** What the server said when it did not take a game. */
let refused = ''
let heard = false
/** How long the server is left alone that has enough for now, in milliseconds. */
const waits = new Backoff(30_000, 600_000)
let later: ReturnType<typeof setTimeout> | undefined
const TOO_MANY = 429
const FAILED = 500

/** The games that this browser keeps. */
export function localGames(): Shown {
  return shown
}

/** Whether this browser may have games: found out without loading or opening anything where it certainly has none. */
async function mayHaveGames(): Promise<boolean> {
  const databases = database()
  if (!databases) return false
  try {
    return (await databases.databases()).some(({ name }) => name === DATABASE)
  } catch {
    // An old browser does not tell.
    return true
  }
}

async function look(): Promise<void> {
  try {
    const { list, store } = await loadLocal()
    if (!heard) store.hear(() => void look())
    heard = true
    shown = { ...(await list()), trouble: refused, known: true }
  } catch (error) {
    // As long as the server is there, nobody needs to know that the browser would keep nothing.
    shown = { ...NOTHING, trouble: isOffline() ? errorWords(error) : '', known: true }
  }
}

/** Begin a game here; returns its address. `asked` is a key under which the server may have begun it, too. */
export async function startLocalGame(wanted: Partial<NewGame>, asked: string | null): Promise<string> {
  const path = await (await loadLocal()).begin(wanted, asked)
  void look()
  return path
}

/** Forget a game for good. */
export async function removeLocalGame(id: string): Promise<void> {
  await (await loadLocal()).store.remove(id)
}

/**
 * Give all games to the server, if it is there: as whoever one is, so that they are one's own. One tab at a time: a
 * stranger would be somebody else in each.
 */
async function handOver(): Promise<void> {
  if (!isOffline() && (await mayHaveGames())) await withTabLock('punct.handover', giveAllAsOneself)
}

async function giveAllAsOneself(): Promise<void> {
  let refusal: ApiError | null
  try {
    const { uploadEverything, hasUploads } = await loadLocal()
    if (isOffline() || !(await hasUploads())) return
    await loadMe()
    await ensureIdentity()
    refusal = await uploadEverything()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refusal = error
  }
  refused = refusal && !isOffline() ? errorWords(refusal) : ''
  tryLater(refusal)
  await look()
}

/** Whoever has enough for now is asked again by and by; whoever does not answer, when that is back. */
function tryLater(refusal: ApiError | null): void {
  clearTimeout(later)
  if (refusal && !isOffline() && (refusal.status === TOO_MANY || refusal.status >= FAILED)) {
    later = setTimeout(() => void handOver(), waits.next())
  } else waits.reset()
}

/** List what is here, and hand it over now and whenever the server is back; called once by the page. */
export function keepUploading(): () => void {
  void mayHaveGames().then(async (may) => {
    if (may) await look()
    else shown = { ...NOTHING, known: true }
    await handOver()
  })
  return HAS_SERVER ? onReconnect(() => void handOver()) : () => undefined
}
