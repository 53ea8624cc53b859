/** The game that a desk is at. */
import { speedOf } from '../games/timeControl'
import type { Colour, Game } from '../api/model'
import type { Shape } from '../board/model/shape'
import type { Settings } from '../session/settings.svelte'

/** The game as the page has received it last. */
export interface DeskGame {
  readonly game: Game
  /** The player's colour. */
  readonly me: Colour | null
  readonly shape: Shape
  readonly settings: Settings
  /** The opponent's name. */
  readonly summary: { readonly opponent: string }
  readonly updates: {
    /** Applies the game that an error carries. */
    applyFromError(error: unknown): void
  }
}

export interface DeskProps {
  context: DeskGame
  /** Go back to the game. */
  onleave: () => void
}

/** Whether moves can be planned in a game: not with a live clock. */
export function canPlan({ time, outcome }: Pick<Game, 'time' | 'outcome'>): boolean {
  return !outcome && speedOf(time) !== 'live'
}
