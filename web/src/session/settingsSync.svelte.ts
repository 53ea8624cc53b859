/** Whoever has an account finds their settings on every device. */
import { untrack } from 'svelte'
import { api } from '../api/client'
import { language } from '../i18n/index.svelte'
import { chooseLanguage, chosenLanguage, languageOf } from '../i18n/languageChoice'
import { me } from './me.svelte'
import { applySettings, settings } from './settings.svelte'

/** Switches come in bursts; one note of them is enough. */
const PAUSE = 1000

/** What a device tells the account: the settings, and the language if one was chosen. */
function toTell(): Record<string, unknown> {
  language() // whoever chooses another is heard
  const chosen = chosenLanguage()
  return { ...settings, ...(chosen ? { language: chosen } : {}) }
}

/** Keep the settings here and those with the account the same; called once by the page. */
export function syncSettings(): void {
  /** What the account is known to have. */
  let kept = ''
  $effect(() => {
    const { player, settings: noted } = me()
    kept = ''
    if (!player?.login || !noted) return
    untrack(() => {
      applySettings(noted)
      const spoken = languageOf(noted['language'])
      if (spoken && spoken !== language()) void chooseLanguage(spoken)
      // Where the account has no language, it is told the one that was chosen here.
      kept = spoken ? JSON.stringify(toTell()) : JSON.stringify(settings)
    })
  })
  $effect(() => {
    const now = JSON.stringify(toTell())
    if (!me().player?.login || now === kept) return
    const timer = setTimeout(() => {
      kept = now
      // If it gets lost, the next change tells it.
      api.saveSettings(toTell()).catch(() => undefined)
    }, PAUSE)
    return () => clearTimeout(timer)
  })
}
