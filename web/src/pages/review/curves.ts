/** A game as two curves over the same turns: winning chances, and the count in the central hexagon. */

export interface Box {
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

export interface DrawnChances {
  readonly line: string
  /** White's share, from the line down. */
  readonly area: string
  readonly points: readonly Point[]
}

export interface DrawnCounts {
  readonly w: string
  readonly b: string
  readonly ticks: readonly { readonly count: number; readonly y: number }[]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Where a ply stands in a box, of a game of so many turns. */
export function acrossOf(ply: number, plies: number, { width }: Box): number {
  return round((ply / Math.max(1, plies)) * width)
}

/** The ply that is nearest to a place in the box, as a share of its width. */
export function plyAt(share: number, plies: number): number {
  return Math.max(0, Math.min(plies, Math.round(share * plies)))
}

/** White's chances from the start on, 0 to 1; as far as they are known. */
export function drawChances(chances: readonly number[], plies: number, box: Box): DrawnChances {
  const points = chances.map((chance, ply) => ({
    x: acrossOf(ply, plies, box),
    y: round((1 - chance) * box.height),
  }))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return { line: '', area: '', points }
  const line = points.map(({ x, y }) => `${x} ${y}`).join('L')
  return { line: `M${line}`, area: `M${first.x} ${box.height}L${line}L${last.x} ${box.height}Z`, points }
}

/** Both counts after each turn: they change at once, not on the way. */
export function drawCounts(counts: readonly { readonly w: number; readonly b: number }[], box: Box): DrawnCounts {
  const most = Math.max(4, ...counts.map(({ w, b }) => Math.max(w, b)))
  const step = most <= 6 ? 2 : most <= 15 ? 5 : 10
  const top = Math.ceil(most / step) * step
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
