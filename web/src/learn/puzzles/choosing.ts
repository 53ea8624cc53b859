/** Which puzzle comes next: one that is new, and about as hard as it should be. */
import type { Puzzle } from './collection'

/** What was done about a puzzle before: nothing, or it was tried and solved or not. */
export type Before = (puzzle: Puzzle) => 'new' | 'failed' | 'solved'

/** Among so many that fit best, chance decides: so no two people meet them in one order. */
const CHOICE = 12
/** How hard the first of a row is, and by how much the next is harder. */
const [EASIEST, STEP] = [600, 40]

/** How hard a puzzle should be, in a row that becomes harder and harder, after so many. */
export function hardness(solved: number): number {
  return EASIEST + STEP * solved
}

/**
 * The next one: of those that are new, and else of those that were never solved, and else of all, one about as hard as
 * wanted. Those in `passed` are left out; null where no other is left.
 */
export function chosen(
  puzzles: readonly Puzzle[],
  wanted: number,
  before: Before,
  passed: ReadonlySet<string>,
  chance: () => number = Math.random,
): Puzzle | null {
  const left = puzzles.filter(({ id }) => !passed.has(id))
  const groups = (['new', 'failed', 'solved'] as const).map((was) => left.filter((puzzle) => before(puzzle) === was))
  const group = groups.find((found) => found.length > 0) ?? []
  const distance = ({ rating }: Puzzle): number => Math.abs(rating - wanted)
  const nearest = [...group].sort((one, another) => distance(one) - distance(another)).slice(0, CHOICE)
  return nearest[Math.floor(chance() * nearest.length)] ?? null
}
