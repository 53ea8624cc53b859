/**
 * The few words of an embedded board, in seven languages: a page that others show loads no more than it needs. A colon
 * follows the last two.
 */
const TEXTS = {
  en: {
    start: 'To the start',
    back: 'One move back',
    on: 'One move on',
    end: 'To the end',
    board: 'Board',
    open: 'Open',
  },
  de: {
    start: 'Zum Anfang',
    back: 'Einen Zug zurück',
    on: 'Einen Zug vor',
    end: 'Ans Ende',
    board: 'Spielplan',
    open: 'Öffnen',
  },
  fr: {
    start: 'Au début',
    back: 'Un coup en arrière',
    on: 'Un coup en avant',
    end: 'À la fin',
    board: 'Plateau\u00a0',
    open: 'Ouvrir\u00a0',
  },
  nl: {
    start: 'Naar het begin',
    back: 'Een zet terug',
    on: 'Een zet verder',
    end: 'Naar het einde',
    board: 'Bord',
    open: 'Openen',
  },
  it: {
    start: 'All’inizio',
    back: 'Una mossa indietro',
    on: 'Una mossa avanti',
    end: 'Alla fine',
    board: 'Tavoliere',
    open: 'Apri',
  },
  es: {
    start: 'Al principio',
    back: 'Una jugada atrás',
    on: 'Una jugada adelante',
    end: 'Al final',
    board: 'Tablero',
    open: 'Abrir',
  },
  pl: {
    start: 'Na początek',
    back: 'Ruch wstecz',
    on: 'Ruch naprzód',
    end: 'Na koniec',
    board: 'Plansza',
    open: 'Otwórz',
  },
} as const
export type Texts = Readonly<Record<keyof (typeof TEXTS)['en'], string>>

/** The first of some languages that there are texts in, and these texts; else English. */
export function textsIn(languages: readonly string[]): { readonly language: string; readonly texts: Texts } {
  for (const name of languages) {
    const language = name.slice(0, 2).toLowerCase()
    if (Object.hasOwn(TEXTS, language)) return { language, texts: TEXTS[language as keyof typeof TEXTS] }
  }
  return { language: 'en', texts: TEXTS.en }
}
