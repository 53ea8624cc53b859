/**
 * Moves the keyboard's focus over the board: up and down a column, across columns at one height, or to the next legal
 * choice.
 */
import type { SpaceName } from '../../api/model'
import type { BoardSpace, Shape } from './shape'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

export function isArrow(key: string): key is Arrow {
  return key === 'ArrowUp' || key === 'ArrowDown' || key === 'ArrowLeft' || key === 'ArrowRight'
}

/** The space an arrow key leads to; the same one at the edge. On a flipped board the keys are reversed too. */
export function step(shape: Shape, from: SpaceName, arrow: Arrow, flipped = false): SpaceName {
  const origin = shape.at(from)
  const side = flipped ? -1 : 1
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const isUp = (arrow === 'ArrowUp') !== flipped
    return shape.step(from, isUp ? 'n' : 's')?.name ?? from
  }
  const right = (arrow === 'ArrowRight' ? 1 : -1) * side
  // Columns are half a space apart in height. Going back and forth must return: even columns lean up, odd ones down.
  const lean = origin.column % 2 === 0 ? -1 : 1
  const column = shape.spaces.filter((space) => space.column === origin.column + right)
  return closest(column, origin.y + lean)?.name ?? from
}

function closest(spaces: readonly BoardSpace[], y: number): BoardSpace | undefined {
  return spaces.reduce<BoardSpace | undefined>(
    (best, space) => (best && Math.abs(best.y - y) <= Math.abs(space.y - y) ? best : space),
    undefined,
  )
}

/** The next of some spaces in the board's order, cyclically. */
export function cycle(shape: Shape, from: SpaceName, among: Iterable<SpaceName>, steps: 1 | -1): SpaceName {
  const order = [...among].sort((a, b) => shape.at(a).index - shape.at(b).index)
  if (!order.length) return from
  const index = shape.at(from).index
  if (steps === 1) return order.find((space) => shape.at(space).index > index) ?? (order[0] as SpaceName)
  return order.findLast((space) => shape.at(space).index < index) ?? (order.at(-1) as SpaceName)
}
