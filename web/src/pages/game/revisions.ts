/** Orders updates of a game: they come as responses and live messages, and not always in order. */
import type { Game, Thinking } from '../../api/model'

type GameUpdate = Pick<Game, 'revision' | 'thinking'>

/** Whether an update is older than what is known: by its revision, or by the computer's state within one. */
export function isOutdated(update: GameUpdate, current: GameUpdate): boolean {
  if (update.revision !== current.revision) return update.revision < current.revision
  return since(update.thinking) < since(current.thinking)
}

/** Since when the computer is in its state; 0 if it was idle. */
function since({ since }: Thinking): number {
  return since === null ? 0 : Date.parse(since)
}
