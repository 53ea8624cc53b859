/** The progress of a review that is not finished, or that nobody stores, as long as the window is open. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'
import type { EvaluatedPosition } from './judgements'

const keyOf = (game: string): string => `punct.review.${game}`

/** What stored progress belongs to: for another game, or other nodes, it is of no use. */
export interface ReviewKey {
  readonly game: string
  readonly turns: readonly string[]
  readonly nodes: number
}

function isEvaluated(value: unknown): value is EvaluatedPosition {
  const { turn, over, best } = (value ?? {}) as Partial<EvaluatedPosition>
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

/** The stored evaluations; empty if there are none, or none that can be used. */
export function loadReviewProgress(
  storage: StorageReader,
  { game, turns, nodes }: ReviewKey,
): readonly EvaluatedPosition[] {
  const stored = readJson(storage, keyOf(game))
  const evaluations: unknown = stored['looked']
  if (stored['nodes'] !== nodes || stored['turns'] !== turns.join(' ') || !Array.isArray(evaluations)) return []
  return evaluations.length <= turns.length + 1 && evaluations.every(isEvaluated) ? evaluations : []
}

export function saveReviewProgress(
  storage: StorageWriter,
  { game, turns, nodes }: ReviewKey,
  evaluations: readonly EvaluatedPosition[],
): void {
  writeJson(storage, keyOf(game), { nodes, turns: turns.join(' '), looked: evaluations })
}

export function clearReviewProgress(storage: Pick<Storage, 'removeItem'>, game: string): void {
  storage.removeItem(keyOf(game))
}
