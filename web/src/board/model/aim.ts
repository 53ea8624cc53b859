/**
 * Which space a pointer means. A mouse means the space under it and no other: if nothing may go there, it is told so.
 * A finger covers more than it points at, so beside a space allowed it may mean that one; then it is only a guess.
 */
import type { SpaceName } from '../../net/model'
import { nearest } from './projection'
import { type Point, SPACING } from './shape'

export interface Aim {
  readonly space: SpaceName
  /** Not the space under the finger but the one allowed beside it: never played before it is confirmed. */
  readonly snapped: boolean
}

/** What lies where, as it is drawn. */
export interface Field {
  readonly places: readonly (readonly [SpaceName, Point & { readonly front?: number }])[]
  /** Where the chosen piece may land; nothing while none is chosen. */
  readonly lands: ReadonlySet<SpaceName>
  empty(space: SpaceName): boolean
}

/** No point of the board is further than this from the space it belongs to; nor does a finger reach further. */
export const REACH = SPACING * 0.6

export function aimAt(point: Point, touch: boolean, { places, lands, empty }: Field): Aim | null {
  const under = nearest(point, places, REACH)
  if (touch && (under === undefined || (!lands.has(under) && empty(under)))) {
    const beside = nearest(
      point,
      places.filter(([space]) => lands.has(space)),
      REACH,
    )
    if (beside !== undefined) return { space: beside, snapped: true }
  }
  return under === undefined ? null : { space: under, snapped: false }
}
