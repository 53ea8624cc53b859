/** Where the keyboard's focus goes when what had it goes away. */
import { tick } from 'svelte'

/**
 * Give the focus back to what had it before; if that is gone, `otherwise` finds it another place. Not now but when the
 * page has changed: a teardown still sees the page as it was, and so would the handlers of whatever gets the focus.
 * Whoever has put the focus somewhere else meanwhile keeps it there.
 */
export async function returnFocus(before: Element | null, otherwise: () => void): Promise<void> {
  await tick()
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const focusable = before instanceof HTMLElement || before instanceof SVGElement
  if (focusable && before.isConnected && before !== document.body) before.focus({ preventScroll: true })
  else otherwise()
}
