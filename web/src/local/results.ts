/** Results against the computer in the games of this browser, counted as the server counts its own. */
import type { Colour, LevelResult } from '../api/model'
import { rulesOf } from './gameState'
import type { SavedGame } from './savedGame'

/** By rules and level: the result of each finished game against the computer that began with an empty board. */
export function resultsOf(games: readonly SavedGame[]): readonly LevelResult[] {
  return games.flatMap(({ start, seats: { w, b }, outcome }) => {
    const rules = rulesOf(start)
    if (!outcome || w.type === b.type || start !== `${rules} w`) return []
    const [ownColour, { level }]: [Colour, typeof w] = w.type === 'person' ? ['w', b] : ['b', w]
    const [wins, draws] = [outcome.winner === ownColour, outcome.winner === null].map(Number) as [number, number]
    return [{ rules, level: level ?? 1, wins, draws, losses: 1 - wins - draws }]
  })
}
