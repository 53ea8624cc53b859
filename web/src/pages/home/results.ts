/** Sums up results of several sources: the server and this browser. */
import type { LevelResult } from '../../api/model'

/** The sums, one for each pair of rules and level with a finished game, the weakest level first. */
export function sumResults(...resultLists: readonly (readonly LevelResult[])[]): readonly LevelResult[] {
  const sums = new Map<string, LevelResult>()
  for (const { rules, level, wins, draws, losses } of resultLists.flat()) {
    const key = `${rules} ${level}`
    const sum = sums.get(key) ?? { rules, level, wins: 0, draws: 0, losses: 0 }
    sums.set(key, { ...sum, wins: sum.wins + wins, draws: sum.draws + draws, losses: sum.losses + losses })
  }
  return [...sums.values()].sort((one, other) => one.level - other.level)
}
