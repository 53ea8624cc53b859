/** The board as the server describes it: spaces, steps, and the dots of each kind of piece. */
import { HEADINGS, type Board, type Heading, type Kind, type SpaceName } from '../../api/model'

export interface Point {
  x: number
  y: number
}

export interface BoardSpace {
  readonly name: SpaceName
  readonly index: number
  readonly column: number
  readonly row: number
  readonly centre: boolean
  /** The point on the flat board, with the centre of the board at 0, 0, y downwards. */
  readonly x: number
  readonly y: number
}

/** The distance between neighbouring spaces in drawing units. */
export const SPACING = 42

const COLUMN_WIDTH = (SPACING * Math.sqrt(3)) / 2

/** The point on the flat board for an offset in columns and rows. */
export function toPoint(column: number, row: number): Point {
  return { x: column * COLUMN_WIDTH, y: (column / 2 - row) * SPACING }
}

export class Shape {
  readonly spaces: readonly BoardSpace[]
  readonly #byName: ReadonlyMap<SpaceName, BoardSpace>
  readonly #byPlace: ReadonlyMap<string, BoardSpace>

  constructor(readonly board: Board) {
    const centre = new Set(board.centre)
    this.spaces = board.spaces.map((space, index) => ({
      ...space,
      index,
      centre: centre.has(space.name),
      ...toPoint(space.column - 8, space.row - 9),
    }))
    this.#byName = new Map(this.spaces.map((space) => [space.name, space]))
    this.#byPlace = new Map(this.spaces.map((space) => [`${space.column},${space.row}`, space]))
  }

  /** The space of that name; the server never names one that does not exist. */
  at(name: SpaceName): BoardSpace {
    const space = this.#byName.get(name)
    if (!space) throw new RangeError(`no space is called ${name}`)
    return space
  }

  has(name: SpaceName): boolean {
    return this.#byName.has(name)
  }

  step(name: SpaceName, heading: Heading): BoardSpace | undefined {
    const { column, row } = this.at(name)
    const step = this.board.headings[heading] ?? { column: 0, row: 0 }
    return this.#byPlace.get(`${column + step.column},${row + step.row}`)
  }

  /** The spaces from here to the edge, nearest first. */
  line(name: SpaceName, heading: Heading): BoardSpace[] {
    const line: BoardSpace[] = []
    for (let next = this.step(name, heading); next; next = this.step(next.name, heading)) line.push(next)
    return line
  }

  /** The three spaces below a piece's dots, the PÜNCT's first; undefined where a dot would be off the board. */
  footprint(kind: Kind, name: SpaceName, heading: Heading): BoardSpace[] | undefined {
    const { column, row } = this.at(name)
    const dots = this.board.kinds[kind]?.dots[heading] ?? []
    const spaces = dots.map((dot) => this.#byPlace.get(`${column + dot.column},${row + dot.row}`))
    return spaces.every((space) => space !== undefined) ? spaces : undefined
  }

  /** A piece's dots around its PÜNCT, on the flat board. */
  dots(kind: Kind, heading: Heading): Point[] {
    return (this.board.kinds[kind]?.dots[heading] ?? []).map((dot) => toPoint(dot.column, dot.row))
  }

  /** The index of the dot between the ends; null for the triangle. */
  middle(kind: Kind): number | null {
    return this.board.kinds[kind]?.middle ?? null
  }

  /** The headings that give different placements. */
  headings(kind: Kind): readonly Heading[] {
    return this.board.kinds[kind]?.headings ?? HEADINGS
  }

  count(kind: Kind): number {
    return this.board.kinds[kind]?.count ?? 0
  }

  /** The spaces of a mask as the server packs it: 27 bytes in base64, the lowest bit first. */
  unpack(mask: string): SpaceName[] {
    const bytes = atob(mask)
    return this.spaces
      .filter(({ index }) => (bytes.charCodeAt(index >> 3) >> (index & 7)) & 1)
      .map((space) => space.name)
  }

  /** Pack spaces as a mask. */
  pack(spaces: readonly BoardSpace[]): string {
    const bytes = new Uint8Array((this.spaces.length + 7) >> 3)
    for (const { index } of spaces) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
    return btoa(String.fromCharCode(...bytes))
  }
}

/** The heading some sixths of a circle further clockwise. */
export function rotateHeading(heading: Heading, steps: number): Heading {
  return HEADINGS[(((HEADINGS.indexOf(heading) + steps) % 6) + 6) % 6] as Heading
}
