/** Keys that work wherever the focus is, as long as nobody is typing: turn, take from the set, confirm, cancel. */
import { KINDS } from '../../api/model'
import type { MoveEntry } from './entry.svelte'

/** Where keys mean something of their own. */
export const TYPING = 'input, select, textarea, [role="alertdialog"]'
/** Where Enter and Space press what has the focus; a piece in the set was pressed already. */
const PRESSING = 'button, a, summary'

/** Returns whether the key was understood. */
export function pressKey(turn: MoveEntry, event: KeyboardEvent): boolean {
  const on = event.target instanceof Element ? event.target : null
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || on?.closest(TYPING)) return false
  if (event.key === 'Escape') {
    if (turn.peeked) turn.peeked = null
    else turn.act({ do: 'cancel' })
    return true
  }
  if (event.key === 'r' || event.key === 'R') {
    turn.act({ do: 'rotate', steps: event.shiftKey ? -1 : 1 })
    return true
  }
  const kind = /^[1-6]$/.test(event.key) ? KINDS[Number(event.key) - 1] : undefined
  if (kind) {
    // Whoever may not play now is told why.
    const { player, view } = turn.situation()
    turn.act({ do: 'take', kind, colour: player ?? view.turn })
    return true
  }
  const elsewhere = !on?.closest(PRESSING) || on.closest('[data-set]')
  if (event.key === 'Enter' && turn.ghost?.fixed && elsewhere) {
    turn.act({ do: 'confirm' })
    return true
  }
  return false
}
