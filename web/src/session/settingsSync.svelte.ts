/** Synchronises an account holder's settings between devices. */
import { untrack } from 'svelte'
import { api } from '../api/client'
import { language } from '../i18n/index.svelte'
import { chooseLanguage, storedLanguage, languageOf } from '../i18n/languageChoice'
import { me } from './me.svelte'
import { applySettings, settings } from './settings.svelte'

/** Debounce: switches change in bursts; one request is enough. */
const DEBOUNCE_MS = 1000

/** The settings for the account, and the language if one was chosen. */
function ownSettings(): Record<string, unknown> {
  language() // makes the caller's effect depend on it
  const chosenCode = storedLanguage()
  return { ...settings, ...(chosenCode ? { language: chosenCode } : {}) }
}

/** Keep the settings here and on the account equal; called once by the page. */
export function syncSettings(): void {
  /** The account's settings, as JSON. */
  let savedJson = ''
  $effect(() => {
    const { player, settings: saved } = me()
    savedJson = ''
    if (!player?.login || !saved) return
    untrack(() => {
      applySettings(saved)
      const savedLanguage = languageOf(saved['language'])
      if (savedLanguage && savedLanguage !== language()) void chooseLanguage(savedLanguage)
      // Where the account has no language, the one chosen here is sent.
      savedJson = savedLanguage ? JSON.stringify(ownSettings()) : JSON.stringify(settings)
    })
  })
  $effect(() => {
    const json = JSON.stringify(ownSettings())
    if (!me().player?.login || json === savedJson) return
    const timer = setTimeout(() => {
      savedJson = json
      // If it gets lost, the next change sends it.
      api.saveSettings(ownSettings()).catch(() => undefined)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  })
}
