/**
 * Projects the flat board to the screen. Both views use the same drawing: flat from above, where a level is a slight
 * lift, and tilted, where pieces have their height.
 */
import type { Point } from './shape'

export interface Projection {
  readonly tilted: boolean
  readonly flipped: boolean
  /** The foreshortening of the board's depth. */
  readonly squash: number
  /** The thickness of a piece on the screen: each level lifts by this much. */
  readonly thickness: number
}

export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function projection(tilted: boolean, flipped: boolean): Projection {
  return tilted ? { tilted, flipped, squash: 0.64, thickness: 13 } : { tilted, flipped, squash: 1, thickness: 3.4 }
}

/** The point on the screen for a point of the flat board, on top of so many levels. */
export function project({ squash, flipped, thickness }: Projection, { x, y }: Point, level = 0): Point {
  const side = flipped ? -1 : 1
  // The zero that is added keeps -0 out of texts.
  return { x: side * x + 0, y: side * y * squash - level * thickness }
}

/** An offset from a piece's PÜNCT as it lies on the board, before foreshortening. */
export function around({ flipped }: Projection, { x, y }: Point): Point {
  return flipped ? { x: -x, y: -y } : { x, y }
}

/** The frame of the drawing: the board with its edge, and in the tilted view space for the stacks behind. */
export function frame({ tilted, squash }: Projection): Frame {
  const half = 390 * squash
  return tilted
    ? { x: -348, y: -half - 34, width: 696, height: 2 * half + 34 + 22 }
    : { x: -346, y: -half, width: 692, height: 2 * half }
}

/**
 * The candidate nearest to a point on the screen, if it is near enough. `front` says how much nearer a candidate counts
 * that stands in front of others, such as a high stack in the tilted view.
 */
export function nearest<T>(
  point: Point,
  candidates: Iterable<readonly [T, Point & { readonly front?: number }]>,
  maxDistance: number,
): T | undefined {
  let best: T | undefined
  let minDistance = Infinity
  for (const [candidate, { x, y, front = 0 }] of candidates) {
    const distance = Math.hypot(x - point.x, y - point.y)
    if (distance <= maxDistance && distance - front < minDistance) [best, minDistance] = [candidate, distance - front]
  }
  return best
}
