/** Telling a player who looks elsewhere that it is their turn. The browser is asked only when the player wants it. */
import { go } from '../browser/router.svelte'
import { readJson, safeLocalStorage, writeJson } from '../browser/storage'

const KEY = 'punct.notify'

type Permission = 'default' | 'granted' | 'denied' | 'impossible'

const permission = (): Permission => (typeof Notification === 'undefined' ? 'impossible' : Notification.permission)

const here = $state({
  permission: permission(),
  /** Whether the player has answered; nobody is asked twice. */
  asked: readJson(safeLocalStorage, KEY)['asked'] === true,
})

/** Whether the player may still be asked. */
export function mayAskPermission(): boolean {
  return here.permission === 'default' && !here.asked
}

/** Whether the browser would tell if it were wanted. */
export function notifications(): Permission {
  return here.permission
}

/** The player has answered: have the browser ask too, or leave it at that. */
export async function answerOffer(wanted: boolean): Promise<void> {
  here.asked = true
  writeJson(safeLocalStorage, KEY, { asked: true })
  if (wanted && permission() === 'default') await Notification.requestPermission()
  here.permission = permission()
}

/** Tell a player who looks elsewhere, and bring them there; whoever looks here sees it anyway. */
export function notify(title: string, body: string, tag: string, path?: string): void {
  if (permission() !== 'granted' || !document.hidden) return
  try {
    const shown = new Notification(title, { body, tag, icon: '/icon.svg' })
    shown.onclick = () => {
      focus()
      shown.close()
      if (path) go(path)
    }
  } catch {
    // Some phones allow this to installed pages alone; title and sound remain.
  }
}
