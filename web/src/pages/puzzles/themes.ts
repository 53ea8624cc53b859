/** The subjects of puzzles: in how many moves they are won, and what happens in them. */
import type { Puzzle, Theme } from './collection'

/** By their names in the address. */
export const SUBJECTS = [
  'win-1',
  'win-2',
  'win-3',
  'win-4',
  'defence',
  'centre',
  'double',
  'bridge',
  'uncover',
  'jump',
  'rotate',
  'count',
] as const satisfies readonly (Theme | `win-${1 | 2 | 3 | 4}`)[]

export type Subject = (typeof SUBJECTS)[number]

/** Selected like a subject: puzzles that were tried, and never solved. */
export const MISSED = 'missed'

/** The number of moves that a subject asks for; null where it is about something else. */
export function moveCountOf(subject: Subject): number | null {
  const [, moves] = /^win-(\d)$/.exec(subject) ?? []
  return moves ? Number(moves) : null
}

/** Whether a puzzle has a subject. */
export function isAbout(puzzle: Puzzle, subject: Subject): boolean {
  const moves = moveCountOf(subject)
  return moves === null ? puzzle.themes.includes(subject as Theme) : puzzle.goal === 'win' && puzzle.turns === moves
}
