/**
 * The puzzles that come with the program, read from one small file: `src/punct/puzzles/file.py` tells how it is
 * written. What its numbers stand for, spaces, kinds and headings, it says itself.
 */
import address from '../../../../src/punct/puzzles/shipped.puzzles?url'

export type Theme = 'bridge' | 'uncover' | 'rotate' | 'count' | 'jump' | 'double' | 'defence' | 'centre'

export interface Puzzle {
  /** Six letters and digits, made from the position and the goal. */
  readonly id: string
  /** The solver is the side to move. */
  readonly position: string
  /** Win within so many turns, or find a turn that does not lose at once. */
  readonly goal: 'win' | 'hold'
  /** The solver's: 1 to 4; 1 where the goal is to hold. */
  readonly turns: number
  /** The main line: a turn, the longest resistance, a turn, and so on to the one that wins, or the one that holds. */
  readonly solution: readonly string[]
  /** Other first turns that do as well. */
  readonly also: readonly string[]
  readonly themes: readonly Theme[]
  /** How hard it is: 600 to 2600. */
  readonly rating: number
}

/** Why there are no puzzles: the file could not be fetched, is none or not whole, or is of another version. */
export class PuzzlesError extends Error {
  constructor(readonly code: 'unreachable' | 'broken' | 'format') {
    super(`the file of puzzles is ${code}`)
  }
}

const FORMAT = 1
const NAME_LENGTH = 6
const WEAKEST = 600
const STEP = 10

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

let loaded: Promise<readonly Puzzle[]> | null = null

/** All puzzles, by their names, fetched once; rejects with a PuzzlesError, and may then be tried again. */
export function loadPuzzles(): Promise<readonly Puzzle[]> {
  loaded ??= fetched().catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

async function fetched(): Promise<readonly Puzzle[]> {
  let content: ArrayBuffer
  try {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(answer.statusText)
    content = await answer.arrayBuffer()
  } catch {
    throw new PuzzlesError('unreachable')
  }
  return readPuzzles(new Uint8Array(content))
}

/** Read a file of puzzles; rejects with a PuzzlesError if it is none, damaged, or of another version. */
export async function readPuzzles(content: Uint8Array<ArrayBuffer>): Promise<readonly Puzzle[]> {
  let unpacked: Uint8Array
  let head: Head
  try {
    const unpacking = new Response(content).body?.pipeThrough(new DecompressionStream('gzip'))
    unpacked = new Uint8Array(await new Response(unpacking).arrayBuffer())
    head = JSON.parse(new TextDecoder().decode(unpacked.subarray(0, unpacked.indexOf(10)))) as Head
    if (typeof head.puzzles !== 'number') throw new Error('another file')
  } catch {
    throw new PuzzlesError('broken')
  }
  if (head.puzzles !== FORMAT) throw new PuzzlesError('format')
  try {
    return puzzlesOf(head, unpacked.subarray(unpacked.indexOf(10) + 1))
  } catch {
    throw new PuzzlesError('broken')
  }
}

/** What stands in a row at a place; an error if nothing does. */
function at<Item>(row: ArrayLike<Item>, place: number): Item {
  const found = row[place]
  if (found === undefined) throw new Error('out of range')
  return found
}

function puzzlesOf(head: Head, body: Uint8Array): Puzzle[] {
  let begin = 0
  const columns = (count: number, length: number): Uint8Array[] =>
    Array.from({ length: count }, () => body.subarray(begin, (begin += length)))
  const names = columns(NAME_LENGTH, head.count)
  const [frames, themes, ratings, counts, others] = columns(5, head.count) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const [kinds, gaps, lies] = columns(3, head.pieces) as [Uint8Array, Uint8Array, Uint8Array]
  const [sources, targets, headings] = columns(3, head.turns) as [Uint8Array, Uint8Array, Uint8Array]
  if (begin !== body.length) throw new Error('another length')

  const { spaces } = head
  let [piece, turn] = [0, 0]
  const pieces = (count: number): string[] => {
    let place = 0
    return Array.from({ length: count }, () => {
      const kind = at(kinds, piece)
      place = (place + at(gaps, piece)) % spaces.length
      const side = at(head.sides, Math.floor(kind / head.kinds.length))
      const letter = at(head.kinds, kind % head.kinds.length)
      return side + letter + at(spaces, place) + at(head.headings, at(lies, piece++))
    })
  }
  const turns = (count: number): string[] =>
    Array.from({ length: count }, () => {
      const source = at(sources, turn)
      const where = at(spaces, at(targets, turn)) + at(head.headings, at(headings, turn++))
      return source < spaces.length ? `${at(spaces, source)}-${where}` : at(head.kinds, source - spaces.length) + where
    })

  const found = Array.from({ length: head.count }, (_, number): Puzzle => {
    const frame = at(frames, number)
    const length = (frame >> 3) + 1
    return {
      id: names.map((column) => String.fromCharCode(at(column, number))).join(''),
      position: [at(head.rules, frame & 1), at(head.sides, (frame >> 1) & 1), ...pieces(at(counts, number))].join(' '),
      goal: at(head.goals, (frame >> 2) & 1),
      turns: length,
      solution: turns(2 * length - 1),
      also: turns(at(others, number)),
      themes: head.themes.filter((_, bit) => (at(themes, number) >> bit) & 1),
      rating: WEAKEST + STEP * at(ratings, number),
    }
  })
  if (piece !== head.pieces || turn !== head.turns) throw new Error('pieces or turns that belong to no puzzle')
  return found
}

/** A puzzle of the day is neither easy nor hard. */
const [EASIEST, HARDEST] = [1200, 1800]
/** A prime greater than any number of puzzles: so each has its day before one comes again. */
const STRIDE = 1_000_003
const DAY = 86_400_000

/** The puzzle of a day, told as 2026-11-17: the same for everybody, here and in `punct.puzzles.of_the_day`. */
export function puzzleOfTheDay(puzzles: readonly Puzzle[], day: string): Puzzle | null {
  const medium = puzzles.filter(({ rating }) => EASIEST <= rating && rating <= HARDEST)
  return medium[((Date.parse(day) / DAY) * STRIDE) % medium.length] ?? null
}
