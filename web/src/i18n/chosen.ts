/** Which language: the one chosen here before, else the browser's. */
import { localShelf } from '../browser/storage'
import { preferred, setLanguage } from './index.svelte'
import { type Language, LANGUAGES } from './languages'

const KEY = 'punct.language'

/** The language that was chosen here; null for whoever left it to the browser. */
export function chosenLanguage(): Language | null {
  return languageOf(localShelf.getItem(KEY))
}

/** One of ours, if that is what was noted. */
export function languageOf(noted: unknown): Language | null {
  return LANGUAGES.find(({ code }) => code === noted)?.code ?? null
}

export function wantedLanguage(): Language {
  return chosenLanguage() ?? preferred(navigator.languages)
}

/** Switch to a language, for the next time and now. */
export async function chooseLanguage(language: Language): Promise<void> {
  localShelf.setItem(KEY, language)
  await setLanguage(language)
}
