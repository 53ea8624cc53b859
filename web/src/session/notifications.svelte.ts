/** Notifies a player in another window that it is their turn. Permission is requested only when the player wants it. */
import { go, route } from '../browser/router.svelte'
import { readJson, safeLocalStorage, serviceWorkers, writeJson } from '../browser/storage'
import { loadPush } from './lazy'
import { isOnline, me } from './me.svelte'
import { pushOwner } from './pushOwner'

const KEY = 'punct.notify'

type Permission = 'default' | 'granted' | 'denied' | 'impossible'

const permission = (): Permission => (typeof Notification === 'undefined' ? 'impossible' : Notification.permission)

const state = $state({
  permission: permission(),
  /** Whether the player has answered; nobody is asked twice. */
  hasAnswered: readJson(safeLocalStorage, KEY)['asked'] === true,
})

/** Whether the player may still be asked. */
export function canAskPermission(): boolean {
  return state.permission === 'default' && !state.hasAnswered
}

/** Store the player's answer; if it is yes, request the browser's permission. */
export async function answerOffer(isAccepted: boolean): Promise<void> {
  state.hasAnswered = true
  writeJson(safeLocalStorage, KEY, { asked: true })
  if (isAccepted && permission() === 'default') await Notification.requestPermission()
  state.permission = permission()
  const player = me().player?.id
  if (!isAccepted || !player || permission() !== 'granted') return
  // Also while the page is closed, where this browser can; else by this page alone, as long as it is open.
  await loadPush()
    .then(({ switchPushOn }) => switchPushOn(player))
    .catch(() => undefined)
}

/** Keep a browser that shows Web Push messages right with the server, whoever is logged in; called by the page. */
export function followPush(): void {
  $effect(() => {
    const player = me().player?.id ?? null
    if (isOnline() && pushOwner() !== null)
      void loadPush()
        .then(({ keepPush }) => keepPush(player))
        .catch(() => undefined)
  })
}

/** Open what the service worker wants: a notification was clicked. Returns the unsubscribe function. */
export function followClicks(): () => void {
  const onMessage = ({ data, ports }: MessageEvent<unknown>): void => {
    if (data === 'where') return ports[0]?.postMessage(route().path)
    const path = typeof data === 'object' && data && 'open' in data ? data.open : null
    if (typeof path === 'string' && path !== route().path) go(path)
  }
  const workers = serviceWorkers()
  workers?.addEventListener('message', onMessage)
  return () => workers?.removeEventListener('message', onMessage)
}

/** Whether the server tells the player of moves in games of this speed by Web Push: then the page does not. */
function isPushed(speed: Speed): boolean {
  return speed !== 'live' && pushOwner() !== null && pushOwner() === me().player?.id
}

type Speed = 'live' | 'days' | 'none'

/**
 * Notify a player in another window; a click opens `path`. In a visible page nothing is needed, and nobody is told
 * twice: what the server sends by Web Push is shown by the service worker.
 */
export function notify(title: string, body: string, tag: string, speed: Speed, path?: string): void {
  if (permission() !== 'granted' || !document.hidden || isPushed(speed)) return
  try {
    const notification = new Notification(title, { body, tag, icon: '/icon.svg' })
    notification.onclick = () => {
      focus()
      notification.close()
      if (path) go(path)
    }
  } catch {
    // Some phones allow this to installed pages alone; title and sound remain.
  }
}
