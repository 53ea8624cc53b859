/**
 * From the flat board to the screen. Both views use the same drawing: flat from above, where a level is a hint of a
 * lift, and tilted, where pieces stand as high as they are.
 */
import type { Point } from './shape'

export interface Projection {
  readonly tilted: boolean
  readonly flipped: boolean
  /** How much the board's depth is foreshortened. */
  readonly squash: number
  /** How thick a piece is on the screen: each level lifts by this much. */
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

/** Where a point of the flat board is on the screen, on top of so many levels. */
export function project({ squash, flipped, thickness }: Projection, { x, y }: Point, level = 0): Point {
  const side = flipped ? -1 : 1
  // The zero that is added keeps -0 out of texts.
  return { x: side * x + 0, y: side * y * squash - level * thickness }
}

/** A distance around a piece's PÜNCT as it lies on the board, before the depth is foreshortened. */
export function around({ flipped }: Projection, { x, y }: Point): Point {
  return flipped ? { x: -x, y: -y } : { x, y }
}

/** What of the drawing is seen: the board with its edge, and in the tilted view room for the stacks behind. */
export function frame({ tilted, squash }: Projection): Frame {
  const half = 390 * squash
  return tilted
    ? { x: -348, y: -half - 34, width: 696, height: 2 * half + 34 + 22 }
    : { x: -346, y: -half, width: 692, height: 2 * half }
}

/**
 * The candidate nearest to a point on the screen, if it is near enough. What stands in front of others, such as a high
 * stack in the tilted view, says how much nearer it counts.
 */
export function nearest<T>(
  point: Point,
  candidates: Iterable<readonly [T, Point & { readonly front?: number }]>,
  within: number,
): T | undefined {
  let best: T | undefined
  let least = Infinity
  for (const [candidate, { x, y, front = 0 }] of candidates) {
    const distance = Math.hypot(x - point.x, y - point.y)
    if (distance <= within && distance - front < least) [best, least] = [candidate, distance - front]
  }
  return best
}
