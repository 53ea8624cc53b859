/** Chains as seen from above: adjoining dots of one colour. */
import { type Colour, HEADINGS, type SpaceName } from '../../api/model'
import type { Shape } from './shape'
import { type Stacks, topOf } from './stacks'

/** The spaces of the chain that shows on a space; empty where nothing does. */
export function groupAt(shape: Shape, stacks: Stacks, from: SpaceName): ReadonlySet<SpaceName> {
  const colour = topOf(stacks, from)?.colour
  const group = new Set<SpaceName>()
  const queue = colour ? [from] : []
  for (let space = queue.pop(); space; space = queue.pop()) {
    if (group.has(space)) continue
    group.add(space)
    for (const heading of HEADINGS) {
      const next = shape.step(space, heading)?.name
      if (next && topOf(stacks, next)?.colour === colour) queue.push(next)
    }
  }
  return group
}

/** Every chain of a colour. */
export function groupsOf(shape: Shape, stacks: Stacks, colour: Colour): ReadonlySet<SpaceName>[] {
  const groups: ReadonlySet<SpaceName>[] = []
  for (const space of stacks.keys()) {
    if (topOf(stacks, space)?.colour !== colour || groups.some((group) => group.has(space))) continue
    groups.push(groupAt(shape, stacks, space))
  }
  return groups
}

/**
 * The largest number of parts, of at least so many dots each, that a chain of a colour has fallen into from one
 * position to the next. What no longer shows is part of none.
 */
export function partsOf(shape: Shape, before: Stacks, after: Stacks, colour: Colour, minDots: number): number {
  const remaining = groupsOf(shape, after, colour)
  const parts = groupsOf(shape, before, colour).map(
    (group) => remaining.filter((part) => [...part].filter((space) => group.has(space)).length >= minDots).length,
  )
  return Math.max(0, ...parts)
}
