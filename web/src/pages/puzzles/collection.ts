/**
 * The puzzles that come with the program, read from one small file: `src/punct/puzzles/file.py` describes its format.
 * The file itself lists what its numbers stand for: spaces, kinds and headings.
 */
import address from '../../../../src/punct/puzzles/shipped.puzzles?url'

export type Theme = 'bridge' | 'uncover' | 'rotate' | 'count' | 'jump' | 'double' | 'defence' | 'centre'

export interface Puzzle {
  /** Six letters and digits, made from the position and the goal. */
  readonly id: string
  /** The solver is the side to move. */
  readonly position: string
  /** Win within so many moves, or find a move that does not lose at once. */
  readonly goal: 'win' | 'hold'
  /** The solver's moves: 1 to 4; 1 where the goal is to hold. */
  readonly turns: number
  /**
   * The main variation: a move, the longest resistance, a move, and so on to the one that wins, or the one that holds.
   */
  readonly solution: readonly string[]
  /** Other first moves that solve it. */
  readonly also: readonly string[]
  readonly themes: readonly Theme[]
  /** Its difficulty: 600 to 2600. */
  readonly rating: number
}

/** Why there are no puzzles: the file could not be loaded, is damaged, or is of another version. */
export class PuzzlesError extends Error {
  constructor(readonly code: 'unreachable' | 'broken' | 'format') {
    super(`the file of puzzles is ${code}`)
  }
}

const FORMAT = 1
const NAME_LENGTH = 6
const MIN_RATING = 600
const RATING_STEP = 10

interface Head {
  readonly puzzles: number
  readonly count: number
  readonly pieces: number
  readonly turns: number
  readonly rules: readonly string[]
  readonly sides: readonly string[]
  readonly goals: readonly Puzzle['goal'][]
  readonly themes: readonly Theme[]
  readonly kinds: readonly string[]
  readonly headings: readonly string[]
  readonly spaces: readonly string[]
}

let pendingPuzzles: Promise<readonly Puzzle[]> | null = null

/** All puzzles, loaded once; rejects with a PuzzlesError, and may then be tried again. */
export function loadPuzzles(): Promise<readonly Puzzle[]> {
  pendingPuzzles ??= fetchPuzzles().catch((error: unknown) => {
    pendingPuzzles = null
    throw error
  })
  return pendingPuzzles
}

async function fetchPuzzles(): Promise<readonly Puzzle[]> {
  let content: ArrayBuffer
  try {
    const response = await fetch(address)
    if (!response.ok) throw new Error(response.statusText)
    content = await response.arrayBuffer()
  } catch {
    throw new PuzzlesError('unreachable')
  }
  return readPuzzles(new Uint8Array(content))
}

/** Read a file of puzzles; rejects with a PuzzlesError if it is damaged, or of another version. */
export async function readPuzzles(content: Uint8Array<ArrayBuffer>): Promise<readonly Puzzle[]> {
  let bytes: Uint8Array
  let head: Head
  try {
    const stream = new Response(content).body?.pipeThrough(new DecompressionStream('gzip'))
    bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(10)))) as Head
    if (typeof head.puzzles !== 'number') throw new Error('another file')
  } catch {
    throw new PuzzlesError('broken')
  }
  if (head.puzzles !== FORMAT) throw new PuzzlesError('format')
  try {
    return decode(head, bytes.subarray(bytes.indexOf(10) + 1))
  } catch {
    throw new PuzzlesError('broken')
  }
}

/** The item at an index; throws if there is none. */
function itemAt<Item>(row: ArrayLike<Item>, index: number): Item {
  const item = row[index]
  if (item === undefined) throw new Error('out of range')
  return item
}

function decode(head: Head, body: Uint8Array): Puzzle[] {
  let offset = 0
  const columns = (count: number, length: number): Uint8Array[] =>
    Array.from({ length: count }, () => body.subarray(offset, (offset += length)))
  const names = columns(NAME_LENGTH, head.count)
  const [frames, themes, ratings, counts, alternatives] = columns(5, head.count) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const [kinds, gaps, pieceHeadings] = columns(3, head.pieces) as [Uint8Array, Uint8Array, Uint8Array]
  const [sources, targets, headings] = columns(3, head.turns) as [Uint8Array, Uint8Array, Uint8Array]
  if (offset !== body.length) throw new Error('another length')

  const { spaces } = head
  let [piece, turn] = [0, 0]
  const pieces = (count: number): string[] => {
    let place = 0
    return Array.from({ length: count }, () => {
      const kind = itemAt(kinds, piece)
      place = (place + itemAt(gaps, piece)) % spaces.length
      const side = itemAt(head.sides, Math.floor(kind / head.kinds.length))
      const letter = itemAt(head.kinds, kind % head.kinds.length)
      return side + letter + itemAt(spaces, place) + itemAt(head.headings, itemAt(pieceHeadings, piece++))
    })
  }
  const turns = (count: number): string[] =>
    Array.from({ length: count }, () => {
      const source = itemAt(sources, turn)
      const where = itemAt(spaces, itemAt(targets, turn)) + itemAt(head.headings, itemAt(headings, turn++))
      return source < spaces.length
        ? `${itemAt(spaces, source)}-${where}`
        : itemAt(head.kinds, source - spaces.length) + where
    })

  const puzzles = Array.from({ length: head.count }, (_, index): Puzzle => {
    const frame = itemAt(frames, index)
    const length = (frame >> 3) + 1
    return {
      id: names.map((column) => String.fromCharCode(itemAt(column, index))).join(''),
      position: [
        itemAt(head.rules, frame & 1),
        itemAt(head.sides, (frame >> 1) & 1),
        ...pieces(itemAt(counts, index)),
      ].join(' '),
      goal: itemAt(head.goals, (frame >> 2) & 1),
      turns: length,
      solution: turns(2 * length - 1),
      also: turns(itemAt(alternatives, index)),
      themes: head.themes.filter((_, bit) => (itemAt(themes, index) >> bit) & 1),
      rating: MIN_RATING + RATING_STEP * itemAt(ratings, index),
    }
  })
  if (piece !== head.pieces || turn !== head.turns) throw new Error('pieces or turns that belong to no puzzle')
  return puzzles
}

/** A puzzle of the day is neither easy nor hard. */
const [EASIEST, HARDEST] = [1200, 1800]
/** A prime greater than any number of puzzles: so each has its day before one comes again. */
const STRIDE = 1_000_003
const DAY = 86_400_000

/** The puzzle of a day, written 2026-11-17: the same for everybody, here and in `punct.puzzles.of_the_day`. */
export function puzzleOfTheDay(puzzles: readonly Puzzle[], day: string): Puzzle | null {
  const medium = puzzles.filter(({ rating }) => EASIEST <= rating && rating <= HARDEST)
  return medium[((Date.parse(day) / DAY) * STRIDE) % medium.length] ?? null
}
