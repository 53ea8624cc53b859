/**
 * Who one is here. At home nobody has a name and everything is everybody's; online one is a guest or has an account.
 * Asked when the page opens, and again whenever it changes.
 */
import { api, onAccessDenied } from '../api/client'
import { onReconnect } from '../api/connection.svelte'
import type { Me } from '../api/model'
import { setStorageOwner } from '../browser/privateStorage'

const AT_HOME: Me = { mode: 'home', player: null, ratings: [], settings: null }
/** How long the page waits for the answer before it shows itself without. */
const PATIENCE = 1500

let known = $state.raw<Me>(AT_HOME)
let out = $state(false)

export function me(): Me {
  return known
}

/** Whether people meet here. */
export function online(): boolean {
  return known.mode === 'online'
}

/** The server has said who one is now. */
export function setMe(now: Me): void {
  become(now)
  out = false
}

function become(now: Me): void {
  known = now
  setStorageOwner(now.player?.id ?? null)
}

/** Whether one was logged out from elsewhere, and has not been told otherwise since. */
export function wasLoggedOut(): boolean {
  return out
}

/** A session may end on another device: see whether an account holder is still known here. */
async function lookAgain(): Promise<void> {
  const before = known
  if (!before.player?.login) return
  try {
    const now = await api.me()
    if (known !== before || now.player?.id === before.player.id) return
    become(now)
    out = true
  } catch {
    // Then it is found out when the server answers again.
  }
}

/** Notice when one was logged out from elsewhere: whenever the page is looked at again, or something is refused. */
export function watchSession(): () => void {
  const looked = (): void => {
    if (!document.hidden) void lookAgain()
  }
  document.addEventListener('visibilitychange', looked)
  const stop = onAccessDenied(() => void lookAgain())
  return () => {
    document.removeEventListener('visibilitychange', looked)
    stop()
  }
}

/** Ask who one is; a server that does not answer is asked again when it is back. */
export async function loadMe(): Promise<void> {
  try {
    setMe(await api.me())
  } catch {
    const stop = onReconnect(() => {
      stop()
      void loadMe()
    })
  }
}

/** Somebody has left: what was kept of their games is forgotten at once, and not when the server says who is here. */
export function forgetMe(): Promise<void> {
  setStorageOwner(null)
  return loadMe()
}

/** Ask before anything is shown, so that nothing has to change places afterwards; but not for long. */
export function loadMeFirst(): Promise<unknown> {
  return Promise.race([loadMe(), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
