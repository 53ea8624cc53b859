/** The words of the game are the rulebooks' own in every language: this holds the interface to them. */
import { expect, it } from 'vitest'
import type { Messages } from '../src/i18n/index.svelte'

const files = import.meta.glob<Messages>('../src/messages/*.json', { import: 'default', eager: true })
const messages = (code: string): Messages => files[`../src/messages/${code}.json`] ?? {}

/** By language: message key → the word that must be in it. */
const WORDS: Record<string, Record<string, string>> = {
  en: { 'kind.T': 'triangular piece', 'kind.C': 'straight piece', 'kind.M': 'angular piece', 'space.minor': 'minor dot', 'space.centre': 'central hexagon', 'space.punct': 'level', 'peek.bridge': 'bridge', 'peek.pinned': 'blocked', 'game.rules_basic': 'Basic game', 'game.rules_standard': 'Standard game' },
  de: { 'kind.T': 'Dreieck', 'kind.C': 'Gerade', 'kind.M': 'Winkel', 'space.minor': 'Nebenpunkt', 'space.centre': 'Sechseck in der Mitte', 'space.punct': 'Ebene', 'peek.bridge': 'Brücke', 'peek.pinned': 'blockiert', 'game.rules_basic': 'Basis-Spiel', 'game.rules_standard': 'Standard-Spiel', 'board.label': 'Spielplan', 'set.label': 'Vorrat', 'turn.turn': 'rotiert', 'space.below': 'Spielstein', 'colour.w': 'Weiß', 'colour.b': 'Schwarz', 'end.draw': 'Unentschieden' },
  fr: { 'kind.T': 'pièce triangulaire', 'kind.C': 'pièce droite', 'kind.M': 'pièce à angle', 'space.minor': 'point mineur', 'space.centre': 'hexagone central', 'space.punct': 'niveau', 'peek.bridge': 'pont', 'peek.pinned': 'bloqu', 'game.rules_basic': 'Jeu de base', 'game.rules_standard': 'Jeu standard', 'board.label': 'Plateau', 'set.label': 'Ensemble', 'turn.turn': 'fait pivoter', 'turn.jump': 'saute', 'colour.w': 'Blanc', 'colour.b': 'Noir', 'end.draw': 'Partie nulle' },
  it: { 'kind.T': 'pezzo triangolare', 'kind.C': 'pezzo diritto', 'kind.M': 'pezzo ad angolo', 'space.minor': 'punto minore', 'space.centre': 'esagono centrale', 'space.punct': 'livello', 'peek.bridge': 'ponte', 'peek.pinned': 'bloccato', 'game.rules_basic': 'Gioco base', 'game.rules_standard': 'Gioco standard', 'board.label': 'Tavoliere', 'set.label': 'Serie', 'turn.turn': 'ruota', 'turn.jump': 'al di sopra', 'colour.w': 'Chiaro', 'colour.b': 'Scuro', 'end.draw': 'Patta' },
  nl: { 'kind.T': 'driehoekig stuk', 'kind.C': 'recht stuk', 'kind.M': 'gehoekt stuk', 'space.minor': 'secundaire stip', 'space.centre': 'centrale zeshoek', 'space.punct': 'niveau', 'peek.bridge': 'brug', 'peek.pinned': 'geblokkeerd', 'game.rules_basic': 'Basisspel', 'game.rules_standard': 'Standaardspel', 'board.label': 'Bord', 'set.label': 'Set', 'turn.turn': 'roteert', 'turn.jump': 'springt', 'colour.w': 'Wit', 'colour.b': 'Zwart', 'end.draw': 'Gelijkspel' },
  es: { 'kind.T': 'pieza triangular', 'kind.C': 'pieza recta', 'kind.M': 'pieza angular', 'space.minor': 'punto secundario', 'space.centre': 'hexágono central', 'space.punct': 'nivel', 'peek.bridge': 'puente', 'peek.pinned': 'bloquead', 'game.rules_basic': 'Juego básico', 'game.rules_standard': 'Juego estándar', 'board.label': 'Tablero', 'set.label': 'Juego de piezas', 'turn.turn': 'giran', 'turn.jump': 'saltan encima', 'colour.w': 'Blancas', 'colour.b': 'Negras', 'end.draw': 'Empate' },
  pl: { 'kind.T': 'pion trójkątny', 'kind.C': 'pion prosty', 'kind.M': 'pion zgięty', 'space.minor': 'mała kropka', 'space.centre': 'obszar centralny', 'space.punct': 'poziom', 'peek.bridge': 'most', 'peek.pinned': 'zablokowany', 'game.rules_basic': 'Gra podstawowa', 'game.rules_standard': 'Gra standardowa', 'board.label': 'Plansza', 'set.label': 'Zestaw', 'turn.turn': 'obraca', 'turn.add': 'wprowadza', 'turn.jump': 'wskakuje', 'colour.w': 'Biały', 'colour.b': 'Czarny', 'end.draw': 'Remis' },
}

it.each(Object.keys(WORDS))('%s says it as its rulebook does', (code) => {
  for (const [key, word] of Object.entries(WORDS[code] ?? {})) {
    expect(`${key}: ${JSON.stringify(messages(code)[key])}`).toContain(word)
  }
})
