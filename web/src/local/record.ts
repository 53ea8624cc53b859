/** A game of this browser as a text record, to save, to analyse, and to upload. */
import { resultOf } from './gameState'
import type { SavedGame } from './savedGame'

const STARTS: readonly string[] = ['standard w', 'basic w']

const tag = (name: string, value: string): string => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]`

/** A player's name in a record, as the server writes it. */
function nameOf({ type, name, level }: SavedGame['seats']['w']): string | null {
  return name ?? (type === 'engine' ? `PÜNCT level ${level ?? 1}` : null)
}

export function recordOf({ start, seats, turns, outcome, created }: SavedGame): string {
  const [rules = 'standard', firstColour] = start.split(' ')
  const white = nameOf(seats.w)
  const black = nameOf(seats.b)
  const head = [
    ...(white ? [tag('White', white)] : []),
    ...(black ? [tag('Black', black)] : []),
    tag('Date', created.slice(0, 10)),
    tag('Rules', rules),
    ...(STARTS.includes(start) ? [] : [tag('Position', start)]),
    tag('Result', resultOf(outcome)),
    ...(outcome ? [tag('Termination', outcome.reason)] : []),
  ]
  const offset = firstColour === 'b' ? 1 : 0
  const moveTexts = turns.map(({ text }, ply) => {
    const number = Math.floor((ply + offset) / 2) + 1
    if ((ply + offset) % 2 === 0) return `${number}. ${text}`
    return ply === 0 ? `${number}... ${text}` : text
  })
  return `${head.join('\n')}\n\n${[...moveTexts, resultOf(outcome)].join(' ')}\n`
}
