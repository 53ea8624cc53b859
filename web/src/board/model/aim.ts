/**
 * What a pointer aims at: a space, or around a ghost a heading's handle. A mouse aims at what is under it and nothing
 * else: if nothing may go there, the player learns why. A finger covers more than it points at, so it may mean what is
 * beside it; then that is only a guess.
 */
import type { Heading, SpaceName } from '../../api/model'
import { HANDLE } from './outline'
import { nearest } from './projection'
import { type Point, SPACING } from './shape'

/** What is `snapped` was not under the finger, only near it: it is never played without confirmation. */
export interface Aim {
  readonly space: SpaceName
  readonly snapped: boolean
}

export interface HeadingAim {
  readonly heading: Heading
  readonly snapped: boolean
}

type Place<T> = readonly [T, Point & { readonly front?: number }]

/** What lies where, as drawn. */
export interface Field {
  readonly places: readonly Place<SpaceName>[]
  /** The foreshortening of the board's depth: circles become ellipses. */
  readonly squash: number
  /** Where the selected piece may land; empty while none is selected. */
  readonly landings: ReadonlySet<SpaceName>
  isEmpty(space: SpaceName): boolean
}

/** No point of the board is further than this from its space; nor does a finger reach further. */
export const REACH = SPACING * 0.6
/** The distance from a space's centre to its border with each neighbour, and over the rim. */
const SPACE_RADIUS = SPACING / 2

export function aimAt(point: Point, touch: boolean, field: Field): Aim | null {
  const { places, squash, landings, isEmpty } = field
  const spaceBelow = nearest(point, places, REACH)
  if (spaceBelow === undefined) return null
  if (!touch) return { space: spaceBelow, snapped: false }
  const neighbour =
    !landings.has(spaceBelow) && isEmpty(spaceBelow) ? nearest(point, landingPlaces(field), REACH) : undefined
  if (neighbour !== undefined) return { space: neighbour, snapped: true }
  const isInside = places.some(([space, place]) => space === spaceBelow && isWithin(SPACE_RADIUS, point, place, squash))
  return { space: spaceBelow, snapped: !isInside }
}

/** The handle that a pointer aims at, of those around a ghost. */
export function handleAt(
  point: Point,
  touch: boolean,
  handles: readonly Place<Heading>[],
  field: Field,
): HeadingAim | null {
  const handleBelow = handles.find(([, place]) => isWithin(HANDLE + 2, point, place, field.squash))
  if (handleBelow) return { heading: handleBelow[0], snapped: false }
  if (!touch) return null
  // A finger needs more than the disc that is drawn; but a nearer landing has precedence.
  const heading = nearest<Heading | null>(
    point,
    [...handles, ...landingPlaces(field).map(([, place]) => [null, place] as const)],
    REACH,
  )
  return heading ? { heading, snapped: true } : null
}

function landingPlaces({ places, landings: spaces }: Field): readonly Place<SpaceName>[] {
  return places.filter(([space]) => spaces.has(space))
}

/** Whether two points are at most that far apart, measured on the board. */
function isWithin(reach: number, one: Point, other: Point, squash: number): boolean {
  return Math.hypot(one.x - other.x, (one.y - other.y) / squash) <= reach
}
