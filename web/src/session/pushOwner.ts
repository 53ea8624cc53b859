/** Whose Web Push messages this browser shows: stored, so that a page knows it at once. */
import { readJson, safeLocalStorage, writeJson } from '../browser/storage'

const KEY = 'punct.push'

/** The id of the player who has switched them on here; null if nobody has. */
export function pushOwner(): string | null {
  const { player } = readJson(safeLocalStorage, KEY)
  return typeof player === 'string' ? player : null
}

export function setPushOwner(player: string | null): void {
  if (player === null) safeLocalStorage.removeItem(KEY)
  else writeJson(safeLocalStorage, KEY, { player })
}
