/**
 * The course: lessons in their order, each of a few boards, read from the data in `course/`. To add a board, add it to
 * its lesson's file, and its texts, `lesson.<lesson>.<board>.task`, `.done` and one for each known wrong move, to
 * `i18n/lessons`. A test plays it with the kernel and reports what is missing.
 */
import type { Goal, Manner } from './goals'

export interface Board {
  /** Unique within its lesson. */
  readonly id: string
  readonly position: string
  readonly goal: Goal
  /** How many moves the player has; by default one. */
  readonly turns?: number
  /** The condition after each move that does not reach the goal yet; if it fails, the text `hold` is shown. */
  readonly hold?: Goal
  /** The opponent's replies to the player's moves, if they are legal. */
  readonly answers?: readonly string[]
  /** The engine level that plays for the opponent otherwise. */
  readonly level?: number
  /**
   * Wrong moves that have a text of their own: by the last part of the text's key, patterns of moves (`*` matches
   * anything, `?` one character) or manners. The first match counts, and only if the goal is not reached.
   */
  readonly wrong?: Readonly<Record<string, readonly string[]>>
  /** Remarks in a whole game, each with its condition: the first that holds is made; once, unless `again` is set. */
  readonly moments?: readonly { readonly say: string; readonly when: Goal; readonly again?: boolean }[]
  /**
   * What reaches the goal: moves; or, if the goal is a refusal, the taps in their order: a kind of the set (`C`), a
   * space (`e5`), or a piece and a space (`Ti9`, `e5-b1`).
   */
  readonly solution?: readonly string[]
  /** Spaces that the task mentions; the board marks them. */
  readonly marks?: readonly string[]
  /** Whether pieces may be taken from the set; by default they may. */
  readonly set?: boolean
  /** Whether the three pairs of opposite sides are shown. */
  readonly sides?: boolean
}

export const PARTS = ['rules', 'craft', 'game'] as const

export interface Lesson {
  readonly id: string
  readonly part: (typeof PARTS)[number]
  readonly boards: readonly Board[]
}

const ORDER = [
  'aim',
  'pieces',
  'add',
  'move',
  'rotate',
  'jump',
  'bridge',
  'blocked',
  'end',
  'threat',
  'double',
  'cut',
  'pin',
  'link',
  'centre',
  'game',
]

const files = import.meta.glob<Omit<Lesson, 'id'>>('./course/*.json', { import: 'default', eager: true })

/** All lessons in their order; those without a place in ORDER come last. */
export const LESSONS: readonly Lesson[] = Object.entries(files)
  .map(([path, lesson]) => ({ id: path.replace(/^.*\/|\.json$/g, ''), ...lesson }))
  .sort((one, another) => indexOf(one.id) - indexOf(another.id))

function indexOf(id: string): number {
  const index = ORDER.indexOf(id)
  return index < 0 ? ORDER.length : index
}

/** The name of a board in the stored progress. */
export function nameOf(lesson: Lesson, board: Board): string {
  return `${lesson.id}.${board.id}`
}

/** The key in `wrong` of the first entry that a move matches; null if none does. */
export function wrongWay(board: Board, move: string, manner: Manner | undefined): string | null {
  for (const [way, patterns] of Object.entries(board.wrong ?? {})) {
    if (patterns.some((pattern) => pattern === manner || matches(pattern, move))) return way
  }
  return null
}

function matches(pattern: string, move: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(move)
}
