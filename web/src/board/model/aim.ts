/**
 * What a pointer means: which space, and around a ghost which heading's handle. A mouse means what is under it and
 * nothing else: if nothing may go there, it is told so. A finger covers more than it points at, so it may mean what is
 * beside it; then it is only a guess.
 */
import type { Heading, SpaceName } from '../../api/model'
import { HANDLE } from './outline'
import { nearest } from './projection'
import { type Point, SPACING } from './shape'

/** Whatever is `snapped` was not under the finger, only near it: never played before it is confirmed. */
export interface Aim {
  readonly space: SpaceName
  readonly snapped: boolean
}

export interface Turning {
  readonly heading: Heading
  readonly snapped: boolean
}

type Place<T> = readonly [T, Point & { readonly front?: number }]

/** What lies where, as it is drawn. */
export interface Field {
  readonly places: readonly Place<SpaceName>[]
  /** How much the board's depth is foreshortened: what is round lies flat. */
  readonly squash: number
  /** Where the chosen piece may land; nothing while none is chosen. */
  readonly lands: ReadonlySet<SpaceName>
  empty(space: SpaceName): boolean
}

/** No point of the board is further than this from the space it belongs to; nor does a finger reach further. */
export const REACH = SPACING * 0.6
/** So far a space goes to each of its neighbours, and over the rim. */
const INSIDE = SPACING / 2

export function aimAt(point: Point, touch: boolean, field: Field): Aim | null {
  const { places, squash, lands, empty } = field
  const under = nearest(point, places, REACH)
  if (under === undefined) return null
  if (!touch) return { space: under, snapped: false }
  const beside = !lands.has(under) && empty(under) ? nearest(point, landings(field), REACH) : undefined
  if (beside !== undefined) return { space: beside, snapped: true }
  const inside = places.some(([space, place]) => space === under && isWithin(INSIDE, point, place, squash))
  return { space: under, snapped: !inside }
}

/** The handle a pointer means, of those around a ghost. */
export function handleAt(
  point: Point,
  touch: boolean,
  handles: readonly Place<Heading>[],
  field: Field,
): Turning | null {
  const under = handles.find(([, place]) => isWithin(HANDLE + 2, point, place, field.squash))
  if (under) return { heading: under[0], snapped: false }
  if (!touch) return null
  // A finger needs more than the disc that is drawn; but where a landing is nearer, it means that.
  const meant = nearest<Heading | null>(
    point,
    [...handles, ...landings(field).map(([, place]) => [null, place] as const)],
    REACH,
  )
  return meant ? { heading: meant, snapped: true } : null
}

function landings({ places, lands }: Field): readonly Place<SpaceName>[] {
  return places.filter(([space]) => lands.has(space))
}

/** Whether two points are no further apart than that, as measured on the board. */
function isWithin(reach: number, one: Point, other: Point, squash: number): boolean {
  return Math.hypot(one.x - other.x, (one.y - other.y) / squash) <= reach
}
