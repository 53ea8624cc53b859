/** The theme: light or dark as the player or the system wants it. */
import { MediaQuery } from 'svelte/reactivity'
import { settings } from './settings.svelte'

const dark = new MediaQuery('(prefers-color-scheme: dark)')

/** The theme shown now, for pictures the server draws too. */
export function theme(): 'light' | 'dark' {
  if (settings.theme !== 'system') return settings.theme
  return dark.current ? 'dark' : 'light'
}

/** Keep the page's look in step; called once by the page, before anything is seen. */
export function applyTheme(): void {
  const show = (): void => {
    document.documentElement.dataset['theme'] = theme()
  }
  show()
  $effect.root(() => {
    $effect(show)
  })
}
