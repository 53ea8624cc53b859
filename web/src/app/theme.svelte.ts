/** The theme shown now, for pictures the server draws. */
import { MediaQuery } from 'svelte/reactivity'
import { settings } from './settings.svelte'

const dark = new MediaQuery('(prefers-color-scheme: dark)')

export function theme(): 'light' | 'dark' {
  if (settings.theme !== 'system') return settings.theme
  return dark.current ? 'dark' : 'light'
}
