/** That something has changed in one's own games elsewhere: lists that show them depend on it. */
const here = $state({ times: 0 })

/** How often there was news. */
export function ownGamesVersion(): number {
  return here.times
}

export function ownGamesChanged(): void {
  here.times++
}
