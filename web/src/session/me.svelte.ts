/**
 * Who the player is. At home nobody has a name and everything belongs to everybody; online a player is a guest or has
 * an account. Loaded when the page opens, and again whenever it changes.
 */
import { api, onAccessDenied } from '../api/client'
import { onReconnect } from '../api/connection.svelte'
import type { Me } from '../api/model'
import { setStorageOwner } from '../browser/privateStorage'

const AT_HOME: Me = { mode: 'home', player: null, ratings: [], settings: null }
/** The page waits so long for the response before it is shown without. */
const MAX_WAIT_MS = 1500

let identity = $state.raw<Me>(AT_HOME)
let isLoggedOut = $state(false)

export function me(): Me {
  return identity
}

/** Whether people play each other here. */
export function isOnline(): boolean {
  return identity.mode === 'online'
}

/** Set who the player is, from a response. */
export function setMe(next: Me): void {
  applyIdentity(next)
  isLoggedOut = false
}

function applyIdentity(next: Me): void {
  identity = next
  setStorageOwner(next.player?.id ?? null)
}

/** Whether the session was ended elsewhere, and no other was begun since. */
export function wasLoggedOut(): boolean {
  return isLoggedOut
}

/** Check whether an account holder is still logged in: a session may be ended on another device. */
async function checkSession(): Promise<void> {
  const previous = identity
  if (!previous.player?.login) return
  try {
    const current = await api.me()
    if (identity !== previous || current.player?.id === previous.player.id) return
    applyIdentity(current)
    isLoggedOut = true
  } catch {
    // The next response will show it.
  }
}

/** Check the session whenever the page becomes visible, or access is denied; returns the unsubscribe function. */
export function watchSession(): () => void {
  const onVisibilityChange = (): void => {
    if (!document.hidden) void checkSession()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  const unsubscribe = onAccessDenied(() => void checkSession())
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    unsubscribe()
  }
}

/** Load who the player is; if the server cannot be reached, again when it is back. */
export async function loadMe(): Promise<void> {
  try {
    setMe(await api.me())
  } catch {
    const unsubscribe = onReconnect(() => {
      unsubscribe()
      void loadMe()
    })
  }
}

/** Log out: stored data about one's games is removed at once, not when the server has answered. */
export function forgetMe(): Promise<void> {
  setStorageOwner(null)
  return loadMe()
}

/** Load who the player is before anything is shown, so that nothing has to move afterwards; but not for long. */
export function loadMeFirst(): Promise<unknown> {
  return Promise.race([loadMe(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
}
