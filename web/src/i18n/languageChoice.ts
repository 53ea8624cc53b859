/** Which language: the one chosen here before, else the browser's. */
import { safeLocalStorage } from '../browser/storage'
import { language, preferred, setLanguage } from './index.svelte'
import { type Language, LANGUAGES } from './languages'

const KEY = 'punct.language'

/** The language that was chosen here; null for whoever left it to the browser. */
export function chosenLanguage(): Language | null {
  return languageOf(safeLocalStorage.getItem(KEY))
}

/** One of ours, if that is what was noted. */
export function languageOf(noted: unknown): Language | null {
  return LANGUAGES.find(({ code }) => code === noted)?.code ?? null
}

export function wantedLanguage(): Language {
  return chosenLanguage() ?? preferred(navigator.languages)
}

/** Switch to a language, for the next time and now; where it cannot be had, the one that is spoken stays. */
export async function chooseLanguage(next: Language): Promise<void> {
  safeLocalStorage.setItem(KEY, next)
  try {
    await setLanguage(next)
  } catch {
    safeLocalStorage.setItem(KEY, language())
  }
}

/** Switch to what was chosen in a list of languages, which shows in the end what is spoken. */
export async function chooseIn(list: HTMLSelectElement): Promise<void> {
  const next = languageOf(list.value)
  if (next) await chooseLanguage(next)
  list.value = language()
}
