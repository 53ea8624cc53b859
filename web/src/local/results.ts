/** How one fares against the computer in the games of this browser: counted as the server counts its own. */
import type { Colour, LevelResult } from '../net/model'
import type { KeptGame } from './kept'
import { rulesOf } from './standing'

/** By rules and level: what became of each finished game against the computer that began with an empty board. */
export function resultsOf(games: readonly KeptGame[]): readonly LevelResult[] {
  return games.flatMap(({ start, seats: { w, b }, outcome }) => {
    const rules = rulesOf(start)
    if (!outcome || w.type === b.type || start !== `${rules} w`) return []
    const [me, { level }]: [Colour, typeof w] = w.type === 'person' ? ['w', b] : ['b', w]
    const [wins, draws] = [outcome.winner === me, outcome.winner === null].map(Number) as [number, number]
    return [{ rules, level: level ?? 1, wins, draws, losses: 1 - wins - draws }]
  })
}
