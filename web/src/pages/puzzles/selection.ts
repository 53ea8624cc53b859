/** Selects the next puzzle: a new one, about as hard as it should be. */
import type { Puzzle } from './collection'

/** The earlier result of a puzzle. */
export type PriorResult = (puzzle: Puzzle) => 'new' | 'failed' | 'solved'

/** Chance decides among so many that fit best: so no two people get them in one order. */
const MIN_CANDIDATES = 12
/** Or among all whose rating differs by at most this, if there are more. */
const MAX_DIFFERENCE = 50
/** The rating of the first puzzle of a run, and the step to the next. */
const [EASIEST, STEP] = [650, 40]
/** So many of a player's first puzzles, and of each run, are wins in one move. */
const BEGINNER_COUNT = 5

/** The rating of the next puzzle of a run, after so many solved. */
export function targetRating(solved: number): number {
  return EASIEST + STEP * solved
}

/** The puzzles for beginners, after so many: to connect comes before to prevent it. */
export function beginnerPuzzles(puzzles: readonly Puzzle[], count: number): readonly Puzzle[] {
  return count < BEGINNER_COUNT ? puzzles.filter(({ goal, turns }) => goal === 'win' && turns === 1) : puzzles
}

/**
 * Select the next puzzle: of the new ones, else of those never solved, else of all, one about as hard as `target`.
 * Those in `excluded` are left out; null where no other is left.
 */
export function choosePuzzle(
  puzzles: readonly Puzzle[],
  target: number,
  priorResult: PriorResult,
  excluded: ReadonlySet<string>,
  random: () => number = Math.random,
): Puzzle | null {
  const candidates = puzzles.filter(({ id }) => !excluded.has(id))
  const groups = (['new', 'failed', 'solved'] as const).map((result) =>
    candidates.filter((puzzle) => priorResult(puzzle) === result),
  )
  const group = groups.find((candidateGroup) => candidateGroup.length > 0) ?? []
  const distance = ({ rating }: Puzzle): number => Math.abs(rating - target)
  const sorted = [...group].sort((one, another) => distance(one) - distance(another))
  const nearest = sorted.filter((puzzle, index) => index < MIN_CANDIDATES || distance(puzzle) <= MAX_DIFFERENCE)
  return nearest[Math.floor(random() * nearest.length)] ?? null
}
