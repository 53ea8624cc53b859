/**
 * Moving the keyboard's focus over the board: up and down a column, level across columns, or from one choice to the
 * next.
 */
import type { SpaceName } from '../../api/model'
import type { BoardSpace, Shape } from './shape'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

export function isArrow(key: string): key is Arrow {
  return key === 'ArrowUp' || key === 'ArrowDown' || key === 'ArrowLeft' || key === 'ArrowRight'
}

/** The space an arrow key leads to; the same one at the edge. Flipped boards turn the keys around with them. */
export function step(shape: Shape, from: SpaceName, arrow: Arrow, flipped = false): SpaceName {
  const here = shape.at(from)
  const side = flipped ? -1 : 1
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const up = (arrow === 'ArrowUp') !== flipped
    return shape.step(from, up ? 'n' : 's')?.name ?? from
  }
  const right = (arrow === 'ArrowRight' ? 1 : -1) * side
  // Columns are half a space apart in height. Going back and forth must return: even columns lean up, odd ones down.
  const lean = here.column % 2 === 0 ? -1 : 1
  const column = shape.spaces.filter((space) => space.column === here.column + right)
  return closest(column, here.y + lean)?.name ?? from
}

function closest(spaces: readonly BoardSpace[], y: number): BoardSpace | undefined {
  return spaces.reduce<BoardSpace | undefined>(
    (best, space) => (best && Math.abs(best.y - y) <= Math.abs(space.y - y) ? best : space),
    undefined,
  )
}

/** The next of some spaces in the board's order, going round. */
export function cycle(shape: Shape, from: SpaceName, among: Iterable<SpaceName>, steps: 1 | -1): SpaceName {
  const order = [...among].sort((a, b) => shape.at(a).index - shape.at(b).index)
  if (!order.length) return from
  const here = shape.at(from).index
  if (steps === 1) return order.find((space) => shape.at(space).index > here) ?? (order[0] as SpaceName)
  return order.findLast((space) => shape.at(space).index < here) ?? (order.at(-1) as SpaceName)
}
