/** Where the keyboard's focus goes when the focused element is removed. */
import { tick } from 'svelte'

/**
 * Return the focus to the element that had it before; if that is gone, call `fallback`. Not now but when the page has
 * changed: a teardown still sees the page as it was, and so would the handlers of whatever gets the focus. If the focus
 * was put somewhere else meanwhile, it stays there.
 */
export async function returnFocus(previous: Element | null, fallback: () => void): Promise<void> {
  await tick()
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const isFocusable = previous instanceof HTMLElement || previous instanceof SVGElement
  if (isFocusable && previous.isConnected && previous !== document.body) previous.focus({ preventScroll: true })
  else fallback()
}
