/** The player's settings, reactive, and written down whenever they change. */
import { readSettings, type Settings, writeSettings } from '../board/settings'

export const settings: Settings = $state(readSettings(localStorage))

/** Keep the page's look and the browser's notes in step; called once by the page. */
export function keepSettings(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = (): void => {
    const theme = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme
    document.documentElement.dataset['theme'] = theme
  }
  dark.addEventListener('change', show)
  $effect.root(() => {
    $effect(() => {
      writeSettings(localStorage, { ...settings })
      show()
    })
  })
  show()
}
