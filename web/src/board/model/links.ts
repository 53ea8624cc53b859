/** The links of a chain on the screen: from ring to ring, so that the dots stay readable. */
import type { Point } from './shape'

export function links(points: readonly Point[], radius: number): string[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index]
    if (!from) return []
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const gap = Math.min(radius, length / 2) / length
    const [dx, dy] = [(to.x - from.x) * gap, (to.y - from.y) * gap]
    return [`M${from.x + dx} ${from.y + dy}L${to.x - dx} ${to.y - dy}`]
  })
}
