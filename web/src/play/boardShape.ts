/** The board's shape, asked for once. */
import { Shape } from '../board/model/shape'
import { serverOrKernel } from './judge'

let asked: Promise<Shape> | null = null

export function loadShape(): Promise<Shape> {
  asked ??= serverOrKernel.board().then(
    (board) => new Shape(board),
    (error: unknown) => {
      // The next one to ask tries again.
      asked = null
      throw error
    },
  )
  return asked
}
