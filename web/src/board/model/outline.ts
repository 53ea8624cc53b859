/** Outlines: the body of a piece around its PÜNCT, discs, the rounded board, and the positions of heading handles. */
import type { Heading, Kind } from '../../api/model'
import { HEADINGS } from '../../api/model'
import { type Point, SPACING, type Shape } from './shape'

/** The thickness of the line through a piece's dots. */
export const BODY = 34
/** The radius of a heading's handle. */
export const HANDLE = 11

const text = ({ x, y }: Point): string => `${x.toFixed(2)} ${y.toFixed(2)}`

/** A piece's body as a line through its dots from end to end, or around the triangle; drawn with a thick round pen. */
export function body(dots: readonly Point[], middle: number | null): string {
  if (middle === null) return `M${dots.map(text).join('L')}Z`
  const ends = dots.filter((_, index) => index !== middle)
  const [first, last] = ends as [Point, Point]
  return `M${text(first)}L${text(dots[middle] as Point)}L${text(last)}`
}

/** A disc, seen from above or flattened: many of them in one path are drawn at once. */
export function disc({ x, y }: Point, radius: number, squash = 1): string {
  const [r, h] = [radius, radius * squash].map((size) => size.toFixed(2))
  const across = (2 * radius).toFixed(2)
  return `M${text({ x: x - radius, y })}a${r} ${h} 0 1 0 ${across} 0a${r} ${h} 0 1 0 -${across} 0Z`
}

/** A hexagon standing on a corner, with round corners. */
export function hexagon(apothem: number, rounding: number, squash = 1): string {
  const radius = (apothem * 2) / Math.sqrt(3)
  const corners = [0, 1, 2, 3, 4, 5].map((index) => {
    const angle = ((index * 60 - 90) * Math.PI) / 180
    return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius * squash }
  })
  const between = (from: Point, to: Point): Point => {
    const share = rounding / radius
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
  }
  return (
    corners
      .map((corner, index) => {
        const previous = corners[(index + 5) % 6] as Point
        const next = corners[(index + 1) % 6] as Point
        return `${index ? 'L' : 'M'}${text(between(corner, previous))}Q${text(corner)} ${text(between(corner, next))}`
      })
      .join('') + 'Z'
  )
}

/** The position of a heading's handle, around the PÜNCT: in the direction the piece reaches. */
export function handle(shape: Shape, kind: Kind, heading: Heading): Point {
  const steps = HEADINGS.indexOf(heading)
  // The triangle and the angular piece with its PÜNCT in the middle point between their arms.
  const lean = kind === 'T' ? 0.5 : kind === 'M' ? 1 : 0
  const angle = (((steps + lean) * 60 - 90) * Math.PI) / 180
  const reach = Math.max(...shape.dots(kind, heading).map(({ x, y }) => Math.hypot(x, y)))
  const radius = Math.max(reach * 0.55 + SPACING, SPACING * 1.55)
  return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius }
}
