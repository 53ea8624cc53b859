/** The straight lines along which a selected piece may move: from its PÜNCT to the farthest space allowed each way. */
import { HEADINGS } from '../../api/model'
import type { Source, Targets } from './legal'
import type { BoardSpace, Shape } from './shape'

export interface Line {
  readonly from: BoardSpace
  readonly to: BoardSpace
}

export function linesOf(shape: Shape, source: Source, targets: Targets): Line[] {
  if (source.from === 'set') return []
  const from = shape.at(source.space)
  return HEADINGS.flatMap((heading) => {
    const to = shape.line(source.space, heading).findLast((space) => targets.has(space.name))
    return to ? [{ from, to }] : []
  })
}
