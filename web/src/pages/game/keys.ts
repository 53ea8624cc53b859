/**
 * The keys of a game besides those of a move. On the board the arrow keys go from space to space, everywhere else they
 * step through the game; comma and full stop step wherever the focus is.
 */
import { TYPING } from '../../board/view/keys'

export interface GameKeys {
  /** Go one move on, or back. */
  step(direction: 1 | -1): void
  /** Go to the start, or to the latest move. */
  jump(to: 'first' | 'last'): void
  undo(): void
  redo(): void
  hint(): void
  resign(): void
  board(): void
}

const ON_THE_BOARD = '[data-space]'

/** Handle a key; returns whether it had a meaning. */
export function pressGameKey(actions: GameKeys, event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest(TYPING)) return false
  switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      if (target?.closest(ON_THE_BOARD)) return false
      actions.step(event.key === 'ArrowLeft' ? -1 : 1)
      return true
    case ',':
      actions.step(-1)
      return true
    case '.':
      actions.step(1)
      return true
    case 'Home':
      actions.jump('first')
      return true
    case 'End':
      actions.jump('last')
      return true
    case 'z':
      if (event.shiftKey) actions.redo()
      else actions.undo()
      return true
    case 'h':
      actions.hint()
      return true
    case 'q':
      actions.resign()
      return true
    case 'b':
      actions.board()
      return true
    default:
      return false
  }
}
