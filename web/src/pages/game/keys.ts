/**
 * The keys of a game besides those of a turn. On the board the arrow keys go from space to space, everywhere else they
 * step through the game; comma and full stop step wherever the focus is.
 */
import { TYPING } from '../../board/view/keys'

export interface GameKeys {
  /** Go so many turns on, or back. */
  step(turns: 1 | -1): void
  /** Go to the start, or to the latest turn. */
  jump(to: 'first' | 'last'): void
  undo(): void
  redo(): void
  hint(): void
  resign(): void
  board(): void
}

const ON_THE_BOARD = '[data-space]'

/** Returns whether the key was understood. */
export function pressGameKey(does: GameKeys, event: KeyboardEvent): boolean {
  const on = event.target instanceof Element ? event.target : null
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || on?.closest(TYPING)) return false
  switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      if (on?.closest(ON_THE_BOARD)) return false
      does.step(event.key === 'ArrowLeft' ? -1 : 1)
      return true
    case ',':
      does.step(-1)
      return true
    case '.':
      does.step(1)
      return true
    case 'Home':
      does.jump('first')
      return true
    case 'End':
      does.jump('last')
      return true
    case 'z':
      if (event.shiftKey) does.redo()
      else does.undo()
      return true
    case 'h':
      does.hint()
      return true
    case 'q':
      does.resign()
      return true
    case 'b':
      does.board()
      return true
    default:
      return false
  }
}
