/** The choice of language: the one chosen here before, else the browser's. */
import { safeLocalStorage } from '../browser/storage'
import { language, preferredLanguage, setLanguage } from './index.svelte'
import { type Language, LANGUAGES } from './languages'

const KEY = 'punct.language'

/** The language that was chosen here; null for players who left it to the browser. */
export function storedLanguage(): Language | null {
  return languageOf(safeLocalStorage.getItem(KEY))
}

/** The language for a stored code, if it is one of ours. */
export function languageOf(stored: unknown): Language | null {
  return LANGUAGES.find(({ code }) => code === stored)?.code ?? null
}

export function initialLanguage(): Language {
  return storedLanguage() ?? preferredLanguage(navigator.languages)
}

/** Switch to a language, now and for the next time; if it cannot be loaded, the current one stays. */
export async function chooseLanguage(next: Language): Promise<void> {
  safeLocalStorage.setItem(KEY, next)
  try {
    await setLanguage(next)
  } catch {
    safeLocalStorage.setItem(KEY, language())
  }
}

/** Switch to the language chosen in a <select>, which finally shows the current one. */
export async function chooseFromList(list: HTMLSelectElement): Promise<void> {
  const next = languageOf(list.value)
  if (next) await chooseLanguage(next)
  list.value = language()
}
