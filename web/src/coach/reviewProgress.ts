/** A review that was not finished, or that nobody keeps, as long as the window is open: it goes on where it was. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'
import type { EvaluatedPosition } from './judgements'

const keyOf = (game: string): string => `punct.review.${game}`

/** What belongs to a note: another game, or other nodes, and it is of no use. */
export interface ReviewKey {
  readonly game: string
  readonly turns: readonly string[]
  readonly nodes: number
}

function isLooked(found: unknown): found is EvaluatedPosition {
  const { turn, over, best } = (found ?? {}) as Partial<EvaluatedPosition>
  if (turn !== 'w' && turn !== 'b') return false
  if (over) return over.winner === null || over.winner === 'w' || over.winner === 'b'
  return (
    !!best &&
    typeof best.move === 'string' &&
    Number.isFinite(best.score) &&
    Number.isInteger(best.proven) &&
    Array.isArray(best.pv) &&
    best.pv.every((turn) => typeof turn === 'string')
  )
}

/** What was found before; nothing if there is no such note, or none that can be used. */
export function loadReviewProgress(
  storage: StorageReader,
  { game, turns, nodes }: ReviewKey,
): readonly EvaluatedPosition[] {
  const noted = readJson(storage, keyOf(game))
  const looked: unknown = noted['looked']
  if (noted['nodes'] !== nodes || noted['turns'] !== turns.join(' ') || !Array.isArray(looked)) return []
  return looked.length <= turns.length + 1 && looked.every(isLooked) ? looked : []
}

export function saveReviewProgress(
  storage: StorageWriter,
  { game, turns, nodes }: ReviewKey,
  looked: readonly EvaluatedPosition[],
): void {
  writeJson(storage, keyOf(game), { nodes, turns: turns.join(' '), looked })
}

export function clearReviewProgress(storage: Pick<Storage, 'removeItem'>, game: string): void {
  storage.removeItem(keyOf(game))
}
