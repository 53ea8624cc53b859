/** The board's shape, loaded once. */
import { Shape } from '../board/model/shape'
import { serverOrKernel } from './judge'

let pendingShape: Promise<Shape> | null = null

export function loadShape(): Promise<Shape> {
  pendingShape ??= serverOrKernel.board().then(
    (board) => new Shape(board),
    (error: unknown) => {
      // The next caller tries again.
      pendingShape = null
      throw error
    },
  )
  return pendingShape
}
