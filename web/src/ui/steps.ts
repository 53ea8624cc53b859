/** Going through turns: to the start, one back, one on, to the end. */

/** Each with its drawing's name, what it is called, and the key that does it. */
export const STEPS = [
  ['first', 'moves.first', 'Home'],
  ['previous', 'moves.previous', ','],
  ['next', 'moves.next', '.'],
  ['last', 'moves.last', 'End'],
] as const

export type Step = (typeof STEPS)[number][0]

/** Where a step leads, the first place being 0; where it leads nowhere, one stays. */
export function stepFrom(step: Step, at: number, last: number): number {
  const places = { first: 0, previous: at - 1, next: at + 1, last }
  return Math.max(0, Math.min(places[step], last))
}
