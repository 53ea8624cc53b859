/** Keys that work wherever the focus is, unless somebody is typing: rotate, take from the set, confirm, cancel. */
import { KINDS } from '../../api/model'
import type { MoveEntry } from './entry.svelte'

/** Where keys have a meaning of their own. */
export const TYPING = 'input, select, textarea, [role="alertdialog"]'
/** Where Enter and Space press the focused element; a piece in the set was pressed already. */
const PRESSING = 'button, a, summary'

/** Handle a key; returns whether it had a meaning. */
export function pressKey(moveEntry: MoveEntry, event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest(TYPING)) return false
  if (event.key === 'Escape') {
    if (moveEntry.peekedSpace) moveEntry.peekedSpace = null
    else moveEntry.act({ do: 'cancel' })
    return true
  }
  if (event.key === 'r' || event.key === 'R') {
    moveEntry.act({ do: 'rotate', steps: event.shiftKey ? -1 : 1 })
    return true
  }
  const kind = /^[1-6]$/.test(event.key) ? KINDS[Number(event.key) - 1] : undefined
  if (kind) {
    // Players who may not play now are told why.
    const { player, view } = moveEntry.situation()
    moveEntry.act({ do: 'take', kind, colour: player ?? view.turn })
    return true
  }
  const isFree = !target?.closest(PRESSING) || target.closest('[data-set]')
  if (event.key === 'Enter' && moveEntry.ghost?.isFixed && isFree) {
    moveEntry.act({ do: 'confirm' })
    return true
  }
  return false
}
