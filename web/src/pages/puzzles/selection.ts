/** Which puzzle comes next: one that is new, and about as hard as it should be. */
import type { Puzzle } from './collection'

/** What was done about a puzzle before: nothing, or it was tried and solved or not. */
export type PriorResult = (puzzle: Puzzle) => 'new' | 'failed' | 'solved'

/** Among so many that fit best, chance decides: so no two people meet them in one order. */
const CHOICE = 12
/** Where there are more about as hard as wanted, it decides among all of them. */
const NEAR = 50
/** How hard the first of a row is, and by how much the next is harder. */
const [EASIEST, STEP] = [650, 40]
/** So many of the first puzzles that somebody tries, and of each row, are wins in one turn. */
const FIRST_WINS = 5

/** How hard a puzzle should be, in a row that becomes harder and harder, after so many. */
export function targetRating(solved: number): number {
  return EASIEST + STEP * solved
}

/** Those for whoever has just begun, after so many: to connect comes before to prevent it. */
export function beginnerPuzzles(puzzles: readonly Puzzle[], tried: number): readonly Puzzle[] {
  return tried < FIRST_WINS ? puzzles.filter(({ goal, turns }) => goal === 'win' && turns === 1) : puzzles
}

/**
 * The next one: of those that are new, and else of those that were never solved, and else of all, one about as hard as
 * wanted. Those in `passed` are left out; null where no other is left.
 */
export function choosePuzzle(
  puzzles: readonly Puzzle[],
  wanted: number,
  before: PriorResult,
  passed: ReadonlySet<string>,
  chance: () => number = Math.random,
): Puzzle | null {
  const left = puzzles.filter(({ id }) => !passed.has(id))
  const groups = (['new', 'failed', 'solved'] as const).map((was) => left.filter((puzzle) => before(puzzle) === was))
  const group = groups.find((found) => found.length > 0) ?? []
  const distance = ({ rating }: Puzzle): number => Math.abs(rating - wanted)
  const sorted = [...group].sort((one, another) => distance(one) - distance(another))
  const nearest = sorted.filter((puzzle, place) => place < CHOICE || distance(puzzle) <= NEAR)
  return nearest[Math.floor(chance() * nearest.length)] ?? null
}
