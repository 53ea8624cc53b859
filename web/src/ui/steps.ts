/** Steps through moves: to the start, one back, one on, to the end. */

/** Each with its icon, its label, and its key. */
export const STEPS = [
  ['first', 'moves.first', 'Home'],
  ['previous', 'moves.previous', ','],
  ['next', 'moves.next', '.'],
  ['last', 'moves.last', 'End'],
] as const

export type Step = (typeof STEPS)[number][0]

/** The index that a step leads to, within 0 and `last`. */
export function stepFrom(step: Step, index: number, last: number): number {
  const targets = { first: 0, previous: index - 1, next: index + 1, last }
  return Math.max(0, Math.min(targets[step], last))
}
