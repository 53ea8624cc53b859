/** The last known snapshots of the server's games, shown while it cannot be reached. */
import { PrivateStorage } from '../browser/privateStorage'
import type { Game, You } from './model'

export interface CachedGame {
  readonly game: Game
  /** The player's own seats, online. */
  readonly you: You | null
  /** When the snapshot was made, in milliseconds since 1970. */
  readonly at: number
}

const storage = new PrivateStorage<CachedGame>(
  'game',
  ({ game, you }) =>
    typeof game === 'object' &&
    typeof game.id === 'string' &&
    Number.isSafeInteger(game.revision) &&
    Array.isArray(game.turns) &&
    typeof game.view === 'object' &&
    Array.isArray(game.view.pieces) &&
    typeof game.seats === 'object' &&
    typeof you === 'object',
)

/** Store a snapshot of a game, unless a newer revision is stored. */
export function cacheGame(game: Game, you: You | null): void {
  const cached = storage.read(game.id)
  if (cached && cached.game.revision > game.revision) return
  storage.write(game.id, { game, you, at: Date.now() })
}

/** The stored snapshot of a game; null if there is none. */
export function cachedGame(id: string): CachedGame | null {
  const cached = storage.read(id)
  return cached?.game.id === id ? cached : null
}

/** Remove the snapshot of a deleted game. */
export function uncacheGame(id: string): void {
  storage.remove(id)
}
