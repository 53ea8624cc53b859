/** Draws a game as two curves over its moves: winning chances, and the centre counts. */

export interface Box {
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

export interface ChanceCurve {
  readonly line: string
  /** White's share: the area below the line. */
  readonly area: string
  readonly points: readonly Point[]
}

export interface CountCurves {
  readonly w: string
  readonly b: string
  readonly ticks: readonly { readonly count: number; readonly y: number }[]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** The x coordinate of a ply in a box, for a game of so many plies. */
export function acrossOf(ply: number, plies: number, { width }: Box): number {
  return round((ply / Math.max(1, plies)) * width)
}

/** The ply nearest to a position in the box, given as a share of its width. */
export function plyAt(share: number, plies: number): number {
  return Math.max(0, Math.min(plies, Math.round(share * plies)))
}

/** Draw White's chances, 0 to 1, from the start on, as far as they are known. */
export function drawChances(chances: readonly number[], plies: number, box: Box): ChanceCurve {
  const points = chances.map((chance, ply) => ({
    x: acrossOf(ply, plies, box),
    y: round((1 - chance) * box.height),
  }))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return { line: '', area: '', points }
  const line = points.map(({ x, y }) => `${x} ${y}`).join('L')
  return { line: `M${line}`, area: `M${first.x} ${box.height}L${line}L${last.x} ${box.height}Z`, points }
}

/** Draw both counts after each move, as steps: a count changes at once. */
export function drawCounts(counts: readonly { readonly w: number; readonly b: number }[], box: Box): CountCurves {
  const max = Math.max(4, ...counts.map(({ w, b }) => Math.max(w, b)))
  const step = max <= 6 ? 2 : max <= 15 ? 5 : 10
  const top = Math.ceil(max / step) * step
  const plies = counts.length - 1
  const y = (count: number): number => round((1 - count / top) * box.height)
  const line = (values: readonly number[]): string => {
    const [first = 0, ...rest] = values
    return `M0 ${y(first)}${rest.map((value, i) => `H${acrossOf(i + 1, plies, box)}V${y(value)}`).join('')}`
  }
  return {
    w: line(counts.map(({ w }) => w)),
    b: line(counts.map(({ b }) => b)),
    ticks: Array.from({ length: top / step + 1 }, (_, n) => ({ count: n * step, y: y(n * step) })),
  }
}
