/** Facts in words: the question before a move, and the reasons. */
import { t } from '../i18n/index.svelte'
import type { Fact, SevereFact } from './facts'

/** The question, addressed to the player. */
export function questionWords(severeFact: SevereFact): string {
  const colour = t(`colour.${severeFact.colour}`)
  switch (severeFact.fact) {
    case 'connects':
      return t(severeFact.new ? 'coach.ask.connects' : 'coach.ask.still', { colour })
    case 'forced':
      return t('coach.ask.forced', { colour, n: severeFact.n })
    case 'could_force':
      return t('coach.ask.could_force', { n: severeFact.n })
    case 'falls':
      return t('coach.ask.falls', { before: severeFact.from, after: severeFact.to })
    default:
      return t(`coach.ask.${severeFact.fact}`, { colour })
  }
}

/** One fact about either player: players are named by their colours. */
export function factWords(entry: Fact): string {
  const { fact, ...values } = entry
  const namedValues = { ...values, colour: t(`colour.${entry.colour}`) }
  switch (fact) {
    case 'falls':
      return t('review.falls', { colour: namedValues.colour, before: entry.from, after: entry.to })
    case 'connects':
    case 'counts': {
      const sentence =
        fact === 'connects'
          ? t('coach.connects', messageValues(namedValues))
          : t('coach.counts', messageValues(namedValues))
      return `${sentence} ${t(entry.new ? 'coach.opened' : 'coach.unstopped')}`
    }
    default:
      return t(`coach.${fact}`, messageValues(namedValues))
  }
}

/** All facts, one after the other. */
export function factsWords(facts: readonly Fact[]): string {
  return facts.map(factWords).join(' ') || t('coach.line')
}

/** The facts in short: a double threat implies that it wins. */
export function reasonWords(facts: readonly Fact[]): string {
  const [first, second] = facts
  const isProven = first?.fact === 'forced' || first?.fact === 'could_force'
  return factsWords(isProven && second?.fact === 'double' ? facts.slice(1) : facts)
}

/** The gist, for a list: a fall of the chances is named with its reason. */
export function briefWords(facts: readonly Fact[]): string {
  const isSufficient = facts[0]?.fact === 'connects' || facts[0]?.fact === 'counts'
  return reasonWords(facts.slice(0, isSufficient ? 1 : 2))
}

/** How many key moves a game has. */
export function keyMoveCountWords(n: number): string {
  return n ? t('coach.moments', { n }) : t('coach.nothing')
}

/** The values that a message can be filled with. */
function messageValues(values: Readonly<Record<string, string | number | boolean>>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'boolean')) as Record<
    string,
    string | number
  >
}
