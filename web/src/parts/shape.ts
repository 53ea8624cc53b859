/** The board's shape, asked for once. */
import { Shape } from '../board/model/shape'
import { EITHER } from './judge'

let asked: Promise<Shape> | null = null

export function loadShape(): Promise<Shape> {
  asked ??= EITHER.board().then(
    (board) => new Shape(board),
    (error: unknown) => {
      // The next one to ask tries again.
      asked = null
      throw error
    },
  )
  return asked
}
