/** Facts in words: what is asked before a turn, and what is said about it. */
import { t } from '../i18n/index.svelte'
import type { Fact, Grave } from './facts'

/** What is asked, to the player in person. */
export function questionWords(grave: Grave): string {
  const colour = t(`colour.${grave.colour}`)
  switch (grave.fact) {
    case 'connects':
      return t(grave.new ? 'coach.ask.connects' : 'coach.ask.still', { colour })
    case 'forced':
      return t('coach.ask.forced', { colour, n: grave.n })
    case 'could_force':
      return t('coach.ask.could_force', { n: grave.n })
    case 'falls':
      return t('coach.ask.falls', { before: grave.from, after: grave.to })
    default:
      return t(`coach.ask.${grave.fact}`, { colour })
  }
}

/** One fact, of whoever played: the players go by their colours. */
export function factWords(told: Fact): string {
  const { fact, ...values } = told
  const named = { ...values, colour: t(`colour.${told.colour}`) }
  switch (fact) {
    case 'falls':
      return t('review.falls', { colour: named.colour, before: told.from, after: told.to })
    case 'connects':
    case 'counts': {
      const said = fact === 'connects' ? t('coach.connects', wordsOf(named)) : t('coach.counts', wordsOf(named))
      return `${said} ${t(told.new ? 'coach.opened' : 'coach.unstopped')}`
    }
    default:
      return t(`coach.${fact}`, wordsOf(named))
  }
}

/** All of them, one after the other; a reader who hears nothing false may hear little. */
export function whyWords(facts: readonly Fact[]): string {
  return facts.map(factWords).join(' ') || t('coach.line')
}

/** The same in short: who is told of a double threat need not hear that it wins. */
export function reasonWords(facts: readonly Fact[]): string {
  const [first, second] = facts
  const proved = first?.fact === 'forced' || first?.fact === 'could_force'
  return whyWords(proved && second?.fact === 'double' ? facts.slice(1) : facts)
}

/** The gist, for a list: that chances fell is said with the reason. */
export function briefWords(facts: readonly Fact[]): string {
  const alone = facts[0]?.fact === 'connects' || facts[0]?.fact === 'counts'
  return reasonWords(facts.slice(0, alone ? 1 : 2))
}

/** How much of a game is worth a look. */
export function foundWords(n: number): string {
  return n ? t('coach.moments', { n }) : t('coach.nothing')
}

/** What a message can be filled with. */
function wordsOf(values: Readonly<Record<string, string | number | boolean>>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'boolean')) as Record<
    string,
    string | number
  >
}
