/** Games of the server as they were last known here: to be looked at while it does not answer. */
import { PrivateStorage } from '../browser/privateStorage'
import type { Game, You } from './model'

export interface CachedGame {
  readonly game: Game
  /** Whose seats these are, where people meet. */
  readonly you: You | null
  /** When that was so, in milliseconds since 1970. */
  readonly at: number
}

const notes = new PrivateStorage<CachedGame>(
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

/** Keep how a game stands; news that are older than what is kept are none. */
export function cacheGame(game: Game, you: You | null): void {
  const before = notes.read(game.id)
  if (before && before.game.revision > game.revision) return
  notes.write(game.id, { game, you, at: Date.now() })
}

/** How a game was last known to stand; null if it was not. */
export function cachedGame(id: string): CachedGame | null {
  const found = notes.read(id)
  return found?.game.id === id ? found : null
}

/** The game is gone. */
export function uncacheGame(id: string): void {
  notes.forget(id)
}
