/** The words of the game are the rulebooks' own in every language: this holds the interface to them. */
import { expect, it } from 'vitest'
import { everyMessage } from './every'

/** What a message says, in all its plural forms. */
const said = (code: string, key: string): string => JSON.stringify(everyMessage(code)[key])

/** By language: message key → the word that must be in it. */
const WORDS: Record<string, Record<string, string>> = {
  en: {
    'kind.T': 'triangular piece',
    'kind.C': 'straight piece',
    'kind.M': 'angular piece',
    'space.minor': 'minor dot',
    'space.centre': 'central hexagon',
    'space.punct': 'level',
    'peek.bridge': 'bridge',
    'peek.pinned': 'blocked',
    'game.rules_basic': 'Basic game',
    'game.rules_standard': 'Standard game',
  },
  de: {
    'kind.T': 'Dreieck',
    'kind.C': 'Gerade',
    'kind.M': 'Winkel',
    'space.minor': 'Nebenpunkt',
    'space.centre': 'Sechseck in der Mitte',
    'space.punct': 'Ebene',
    'peek.bridge': 'Brücke',
    'peek.pinned': 'blockiert',
    'game.rules_basic': 'Basis-Spiel',
    'game.rules_standard': 'Standard-Spiel',
    'board.label': 'Spielplan',
    'set.label': 'Vorrat',
    'turn.turn': 'rotiert',
    'space.below': 'Spielstein',
    'colour.w': 'Weiß',
    'colour.b': 'Schwarz',
    'end.draw': 'Unentschieden',
  },
  fr: {
    'kind.T': 'pièce triangulaire',
    'kind.C': 'pièce droite',
    'kind.M': 'pièce à angle',
    'space.minor': 'point mineur',
    'space.centre': 'hexagone central',
    'space.punct': 'niveau',
    'peek.bridge': 'pont',
    'peek.pinned': 'bloqu',
    'game.rules_basic': 'Jeu de base',
    'game.rules_standard': 'Jeu standard',
    'board.label': 'Plateau',
    'set.label': 'Ensemble',
    'turn.turn': 'fait pivoter',
    'turn.jump': 'saute',
    'colour.w': 'Blanc',
    'colour.b': 'Noir',
    'end.draw': 'Partie nulle',
  },
  it: {
    'kind.T': 'pezzo triangolare',
    'kind.C': 'pezzo diritto',
    'kind.M': 'pezzo ad angolo',
    'space.minor': 'punto minore',
    'space.centre': 'esagono centrale',
    'space.punct': 'livello',
    'peek.bridge': 'ponte',
    'peek.pinned': 'bloccato',
    'game.rules_basic': 'Gioco base',
    'game.rules_standard': 'Gioco standard',
    'board.label': 'Tavoliere',
    'set.label': 'Serie',
    'turn.turn': 'ruota',
    'turn.jump': 'al di sopra',
    'colour.w': 'Chiaro',
    'colour.b': 'Scuro',
    'end.draw': 'Patta',
  },
  nl: {
    'kind.T': 'driehoekig stuk',
    'kind.C': 'recht stuk',
    'kind.M': 'gehoekt stuk',
    'space.minor': 'secundaire stip',
    'space.centre': 'centrale zeshoek',
    'space.punct': 'niveau',
    'peek.bridge': 'brug',
    'peek.pinned': 'geblokkeerd',
    'game.rules_basic': 'Basisspel',
    'game.rules_standard': 'Standaardspel',
    'board.label': 'Bord',
    'set.label': 'Set',
    'turn.turn': 'roteert',
    'turn.jump': 'springt',
    'colour.w': 'Wit',
    'colour.b': 'Zwart',
    'end.draw': 'Gelijkspel',
  },
  es: {
    'kind.T': 'pieza triangular',
    'kind.C': 'pieza recta',
    'kind.M': 'pieza angular',
    'space.minor': 'punto secundario',
    'space.centre': 'hexágono central',
    'space.punct': 'nivel',
    'peek.bridge': 'puente',
    'peek.pinned': 'bloquead',
    'game.rules_basic': 'Juego básico',
    'game.rules_standard': 'Juego estándar',
    'board.label': 'Tablero',
    'set.label': 'Juego de piezas',
    'turn.turn': 'giran',
    'turn.jump': 'saltan encima',
    'colour.w': 'Blancas',
    'colour.b': 'Negras',
    'end.draw': 'Empate',
  },
  pl: {
    'kind.T': 'pion trójkątny',
    'kind.C': 'pion prosty',
    'kind.M': 'pion zgięty',
    'space.minor': 'mała kropka',
    'space.centre': 'obszar centralny',
    'space.punct': 'poziom',
    'peek.bridge': 'most',
    'peek.pinned': 'zablokowany',
    'game.rules_basic': 'Gra podstawowa',
    'game.rules_standard': 'Gra standardowa',
    'board.label': 'Plansza',
    'set.label': 'Zestaw',
    'turn.turn': 'obraca',
    'turn.add': 'wprowadza',
    'turn.jump': 'wskakuje',
    'colour.w': 'Biały',
    'colour.b': 'Czarny',
    'end.draw': 'Remis',
  },
}

it.each(Object.keys(WORDS))('%s says it as its rulebook does', (code) => {
  for (const [key, word] of Object.entries(WORDS[code] ?? {})) {
    expect(`${key}: ${said(code, key)}`).toContain(word)
  }
})

interface Never {
  readonly word: RegExp
  /** Which messages; all of them where nothing is said. */
  readonly within?: RegExp
  readonly because: string
}

/** The board, the engine and what they find: there a game is always one that was played. */
const STUDY = /^(analysis|editor|explorer|impossible|review)\.|_review$/

/** By language: words that were in messages once, and have a better one. */
const NEVER: Record<string, Never[]> = {
  en: [
    { word: /\bby lot\b/i, because: 'colours are random' },
    { word: /\bnot so:/i, because: 'it is "Not like this"' },
    { word: /\bplaced\b/, within: /^end\./, because: 'a piece is added' },
  ],
  de: [
    { word: /\bBrett/, because: 'the board is the Spielplan' },
    { word: /\bSteine?n?\b/, because: 'a piece is a Spielstein' },
    { word: /\bFeld(er|es|ern)?\b/, because: 'a space is a Spielfeld' },
    { word: /\bS[aä]tz(e|en)?\b/, because: 'a set is a Vorrat' },
    { word: /\bgelegt\b/, because: 'a new piece is hinzugefügt' },
    { word: /\b\w+[ms] Spiel\b|\b[Kk]?ein Spiel\b|\bSpiele\b/, within: STUDY, because: 'what was played is a Partie' },
    { word: /Durchsicht/, because: 'a review is an Auswertung' },
    { word: /Gewinnaussicht/, because: 'they are Gewinnchancen' },
    { word: /\bRechner\b/, because: 'it is the Engine' },
    { word: /[Aa]uslosen|\bgelost\b/, because: 'colours are zufällig' },
  ],
  fr: [
    { word: /\bau trait\b/i, because: 'c’est à Blanc de jouer' },
    { word: /\bpos(er|ée?s?)(?!\p{L})/u, within: /^impossible\./, because: 'a new piece is ajoutée' },
    { word: /\bjeux?\b/, within: STUDY, because: 'a set is an ensemble' },
    { word: /\brevue\b/i, because: 'a review is a bilan' },
    { word: /\bau sort\b/, because: 'colours are au hasard' },
  ],
  it: [
    { word: /tabellone/i, because: 'the board is the tavoliere' },
    { word: /\bset\b/i, because: 'a set is a serie' },
    { word: /\bspazi[oa]?\b/i, because: 'a space is a casella' },
    { word: /\bBianc[oa]\b/i, because: 'White is Chiaro' },
    { word: /\bNer[oa]\b/i, because: 'Black is Scuro' },
    { word: /\ba sorte\b/, because: 'colours are a caso' },
  ],
  nl: [
    { word: /\bspel(len)?\b/i, within: STUDY, because: 'what was played is a partij' },
    { word: /\b(ge)?legd?(gen)?\b/, within: /^impossible\./, because: 'a new piece is ingebracht' },
    { word: /nabespreking/i, because: 'a review is a nabeschouwing' },
    { word: /\bhints?\b/i, because: 'a hint is a tip' },
    { word: /stippellijn/i, because: 'a stip is a dot of a piece' },
    { word: /\b(ge)?loten?\b/i, because: 'colours are willekeurig' },
    { word: /\b(Wit|Zwart), dat\b/, because: 'a player is somebody: die' },
  ],
  es: [
    { word: /\btablas\b/i, because: 'a draw is an empate' },
    {
      word: /(?<!\blas )(\{colour\}|Blancas|Negras),? (?!y\b)\p{Ll}/iu,
      because: 'in a sentence they are las Blancas and las Negras',
    },
    {
      word: /\b(juegan|ganan|abandonan|para|con|de) (\{colour\}|Blancas|Negras)/i,
      because: 'in a sentence they are las Blancas and las Negras',
    },
    { word: /\bjuegos?\b(?! de piezas)/, within: STUDY, because: 'a set is a juego de piezas' },
    { word: /\bretira\w* (su|tu|la|una|nada)\b(?! (invitación|petición))/i, because: 'to take back is deshacer' },
    { word: /\bpuest[oa]s?\b|\bponer\b/, within: /^impossible\./, because: 'a new piece is añadida' },
  ],
  pl: [
    { word: /\belement/i, because: 'a piece is a pion' },
    { word: /sześciokąt/i, because: 'the central hexagon is the obszar centralny' },
    { word: /\b[Bb]iałe\b|\b[Bb]iałych\b/, because: 'White is Biały, one player' },
    { word: /\b[Cc]zarne\b|\b[Cc]zarnych\b/, because: 'Black is Czarny, one player' },
    { word: /położy/, within: /^impossible\./, because: 'a new piece is wprowadzony' },
    { word: /\bgr(y|ę|ą|ze)(?!\p{L})|\bgra (jest|nie)\b/iu, within: STUDY, because: 'what was played is a partia' },
    { word: /zapytani/i, because: 'a request is a żądanie' },
    { word: /\b[Nn]a ruchu\b/, because: 'teraz gra Biały' },
    { word: /\bObraz\b/, because: 'a picture is an obrazek' },
  ],
}

it.each(Object.keys(WORDS))('%s says nothing otherwise than it does elsewhere', (code) => {
  const found = Object.keys(everyMessage(code)).flatMap((key) =>
    (NEVER[code] ?? [])
      .filter(({ word, within }) => (within?.test(key) ?? true) && word.test(said(code, key)))
      .map(({ because }) => `${key}: ${said(code, key)} (${because})`),
  )
  expect(found).toEqual([])
})

it('watches over messages there are', () => {
  for (const [code, nevers] of Object.entries(NEVER)) {
    for (const { within } of nevers) {
      if (within) expect(Object.keys(everyMessage(code)).filter((key) => within.test(key))).not.toEqual([])
    }
  }
})

/** By language: message key → the words that players of it asked for. */
const ASKED_FOR: Record<string, Record<string, string>> = {
  en: {
    'home.lot': 'Random',
    'page.try_now': 'Try again',
  },
  de: {
    'end.agreement': 'In beiderseitigem Einverständnis',
    'home.rules_standard': 'Neue Spielsteine dürfen nicht ins Sechseck in der Mitte',
    'board.flip': 'Spielplan drehen',
    'settings.sounds': 'Töne',
    'settings.theme': 'Darstellung',
    'page.try_now': 'Erneut versuchen',
  },
  fr: {
    'about.game_text': 'Si vous l’aimez, jouez-y',
    'level.6.name': 'Anticipe',
    'rules.jump.text': 'on redescend tout aussi librement',
    'page.try_now': 'Réessayer',
  },
  it: {
    'end.time': 'Per tempo scaduto',
    'settings.confirm_note': 'Disattivato',
    'about.thanks': 'Ringraziamenti',
    'rules.jump.text': 'se si verificano due condizioni',
    'page.try_now': 'Riprova',
  },
  nl: {
    'end.time': 'Door tijdsoverschrijding',
    'reason.MOVED_OFF_BOARD': 'Zo kan het niet:',
    'rules.centre.text': 'moet je er stukken naartoe verplaatsen',
    'entry.confirm': 'Spelen',
    'page.try_now': 'Opnieuw proberen',
  },
  es: {
    'board.keys': 'tu juego de piezas',
    'entry.choose': 'tu juego de piezas',
    'entry.choose_add': 'tu juego de piezas',
    'keys.set': 'tu juego de piezas',
    'rules.add.text': 'tu juego de piezas',
    'rules.jump.text': 'se puede bajar con la misma libertad',
    'rules.end.text': 'acaba en empate',
    'rules.centre.text': 'acaba en empate',
    'page.try_now': 'Reintentar',
  },
  pl: {
    'rules.end.text': 'Gdy patrzy się z góry, każde pole należy do kropki leżącej najwyżej',
    'end.time': 'Przez przekroczenie czasu',
    'home.lead': 'dla dwóch osób',
    'action.resign_yes': 'Poddaję się',
    'page.try_now': 'Spróbuj ponownie',
  },
}

it.each(Object.keys(WORDS))('%s says what its players asked for', (code) => {
  for (const [key, words] of Object.entries(ASKED_FOR[code] ?? {})) {
    expect(`${key}: ${said(code, key)}`).toContain(words)
  }
})
