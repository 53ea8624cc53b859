/** Chains as they are seen from above: dots of one colour that adjoin one another. */
import { type Colour, HEADINGS, type SpaceName } from '../../api/model'
import type { Shape } from './shape'
import { type Stacks, topOf } from './stacks'

/** The spaces of the chain that shows on a space; none where nothing does. */
export function groupAt(shape: Shape, stacks: Stacks, from: SpaceName): ReadonlySet<SpaceName> {
  const colour = topOf(stacks, from)?.colour
  const group = new Set<SpaceName>()
  const open = colour ? [from] : []
  for (let space = open.pop(); space; space = open.pop()) {
    if (group.has(space)) continue
    group.add(space)
    for (const heading of HEADINGS) {
      const next = shape.step(space, heading)?.name
      if (next && topOf(stacks, next)?.colour === colour) open.push(next)
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
 * Into how many parts of at least so many dots a chain of a colour has fallen from one position to the next: the most
 * that any has. What no longer shows is part of none.
 */
export function partsOf(shape: Shape, before: Stacks, after: Stacks, colour: Colour, least: number): number {
  const left = groupsOf(shape, after, colour)
  const parts = groupsOf(shape, before, colour).map(
    (group) => left.filter((part) => [...part].filter((space) => group.has(space)).length >= least).length,
  )
  return Math.max(0, ...parts)
}
