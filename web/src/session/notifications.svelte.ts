/** Notifies a player in another window that it is their turn. Permission is requested only when the player wants it. */
import { go } from '../browser/router.svelte'
import { readJson, safeLocalStorage, writeJson } from '../browser/storage'

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
}

/** Notify a player in another window; a click opens `path`. In a visible page nothing is needed. */
export function notify(title: string, body: string, tag: string, path?: string): void {
  if (permission() !== 'granted' || !document.hidden) return
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
