/**
 * The course: lessons in their order, each a few boards, all of them data in `lessons/`. To add a board, add it to its
 * lesson's file, and its texts, `lesson.<lesson>.<board>.task`, `.done` and one for each wrong way, to `i18n/lessons`.
 * A test plays it with the kernel and tells what is missing.
 */
import type { Goal, Manner } from './goals'

export interface Board {
  /** Its name within its lesson. */
  readonly id: string
  readonly position: string
  readonly goal: Goal
  /** How many turns the player has; one if nothing is said. */
  readonly turns?: number
  /** What must hold after each turn that does not reach the goal yet: else it was the wrong one, and `hold` says so. */
  readonly hold?: Goal
  /** What the opponent plays after each turn, as long as it is allowed. */
  readonly answers?: readonly string[]
  /** Which level plays for the opponent otherwise. */
  readonly level?: number
  /**
   * Wrong ways that have words of their own: by the message's last word, turns as they are written (`*` stands for
   * anything, `?` for one letter) or manners. The first that fits counts, and only where the goal was not reached.
   */
  readonly wrong?: Readonly<Record<string, readonly string[]>>
  /** What is said when, in a game that is played to its end: the first that holds; once each, if not `again`. */
  readonly moments?: readonly { readonly say: string; readonly when: Goal; readonly again?: boolean }[]
  /**
   * What reaches the goal: turns; or, where a refusal is the goal, what is tapped one after the other: a kind of the
   * set (`C`), a space (`e5`), or a piece and a space (`Ti9`, `e5-b1`).
   */
  readonly solution?: readonly string[]
  /** Spaces that the task speaks of. */
  readonly marks?: readonly string[]
  /** Whether pieces may be taken from the set; so it is if nothing is said. */
  readonly set?: boolean
  /** Show the three pairs of opposite sides. */
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

/** All lessons, the first one first; one that nobody has put in order comes last. */
export const LESSONS: readonly Lesson[] = Object.entries(files)
  .map(([path, lesson]) => ({ id: path.replace(/^.*\/|\.json$/g, ''), ...lesson }))
  .sort((one, another) => placeOf(one.id) - placeOf(another.id))

function placeOf(id: string): number {
  const place = ORDER.indexOf(id)
  return place < 0 ? ORDER.length : place
}

/** The name a board is remembered by. */
export function nameOf(lesson: Lesson, board: Board): string {
  return `${lesson.id}.${board.id}`
}

/** Which of a board's wrong ways a turn is: the message's last word. */
export function wrongWay(board: Board, move: string, manner: Manner | undefined): string | null {
  for (const [way, patterns] of Object.entries(board.wrong ?? {})) {
    if (patterns.some((pattern) => pattern === manner || fits(pattern, move))) return way
  }
  return null
}

function fits(pattern: string, move: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(move)
}
