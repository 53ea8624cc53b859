/** Which language: the one chosen here before, else the browser's. */
import { preferred, setLanguage } from './index.svelte'
import { type Language, LANGUAGES } from './languages'

const KEY = 'punct.language'

export function wantedLanguage(): Language {
  let noted: string | null = null
  try {
    noted = localStorage.getItem(KEY)
  } catch {
    // A browser that keeps nothing still tells its own languages.
  }
  return LANGUAGES.find(({ code }) => code === noted)?.code ?? preferred(navigator.languages)
}

/** Switch to a language, now and for the next time. */
export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // It is asked for again next time.
  }
}
