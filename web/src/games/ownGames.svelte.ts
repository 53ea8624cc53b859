/** Counts changes in one's own games: lists that show them depend on it. */
const state = $state({ version: 0 })

/** A number that grows with each change. */
export function ownGamesVersion(): number {
  return state.version
}

export function reportOwnGamesChange(): void {
  state.version++
}
