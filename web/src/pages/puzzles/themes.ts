/** What puzzles are about: in how many turns they are won, and what happens in them. */
import type { Puzzle, Theme } from './collection'

/** By its name in the address. */
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

/** Not what a puzzle is about, but chosen like that: those that were tried, and never solved. */
export const MISSED = 'missed'

/** How many turns a subject asks for; null where it is about something else. */
export function turnsOf(subject: Subject): number | null {
  const [, turns] = /^win-(\d)$/.exec(subject) ?? []
  return turns ? Number(turns) : null
}

/** Whether a puzzle is about it. */
export function isAbout(puzzle: Puzzle, subject: Subject): boolean {
  const turns = turnsOf(subject)
  return turns === null ? puzzle.themes.includes(subject as Theme) : puzzle.goal === 'win' && puzzle.turns === turns
}
