/** The theme: light or dark, as set by the player or the system. */
import { MediaQuery } from 'svelte/reactivity'
import { settings } from './settings.svelte'

const darkScheme = new MediaQuery('(prefers-color-scheme: dark)')

/** The present theme, also for pictures that the server draws. */
export function theme(): 'light' | 'dark' {
  if (settings.theme !== 'system') return settings.theme
  return darkScheme.current ? 'dark' : 'light'
}

/** Keep the page's theme up to date; called once by the page, before anything is drawn. */
export function applyTheme(): void {
  const apply = (): void => {
    document.documentElement.dataset['theme'] = theme()
  }
  apply()
  $effect.root(() => {
    $effect(apply)
  })
}
