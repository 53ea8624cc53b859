/**
 * Two fingers on the board zoom and pan it: what lay between them stays between them. Headless; points are on the
 * screen, the visible part of the drawing is a frame in its units.
 */
import type { Frame } from './projection'
import type { Point } from './shape'

/** The drawing's rectangle on the screen. */
interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Viewport {
  /** The whole drawing. */
  fullFrame(): Frame
  /** The visible part. */
  visibleFrame(): Frame
  /** Its rectangle on the screen. */
  rectangle(): Rectangle
  show(frame: Frame): void
}

export const MAX_ZOOM = 3
/** A smaller zoom is not worth a button to undo it. */
const MIN_ZOOM = 1.06

/** Pan the visible frame, never beyond the drawing's edges. */
export function panFrame(full: Frame, visible: Frame, by: Point): Frame {
  const clamp = (value: number, min: number, range: number): number => Math.min(Math.max(value, min), min + range)
  return {
    ...visible,
    x: clamp(visible.x + by.x, full.x, full.width - visible.width),
    y: clamp(visible.y + by.y, full.y, full.height - visible.height),
  }
}

/** The frame for a zoom factor, with a point of the drawing at a fraction of its sides. */
export function zoomFrame(full: Frame, factor: number, point: Point, fraction: Point): Frame {
  const scale = Math.min(Math.max(factor, 1), MAX_ZOOM)
  if (scale < MIN_ZOOM) return full
  const [width, height] = [full.width / scale, full.height / scale]
  const part = { x: point.x - fraction.x * width, y: point.y - fraction.y * height, width, height }
  return panFrame(full, part, { x: 0, y: 0 })
}

interface Pinch {
  readonly fingers: readonly [number, number]
  readonly distance: number
  readonly factor: number
  /** The point of the drawing between the fingers. */
  readonly point: Point
}

/** The fingers on the board. From the second one on they pinch, until all have left. */
export class Fingers {
  readonly #points = new Map<number, Point>()
  #pinch: Pinch | null = null
  #isPinching = false

  constructor(readonly viewport: Viewport) {}

  /** A finger comes down; returns whether that is part of a pinch. */
  down(finger: number, at: Point): boolean {
    this.#points.set(finger, at)
    this.#isPinching ||= this.#points.size > 1
    this.#startPinch()
    return this.#isPinching
  }

  /** A finger moves; returns whether that is part of a pinch. */
  move(finger: number, to: Point): boolean {
    if (!this.#points.has(finger)) return false
    this.#points.set(finger, to)
    if (this.#pinch) this.#follow(this.#pinch)
    return this.#isPinching
  }

  /** A finger leaves; returns whether it was part of a pinch. */
  up(finger: number): boolean {
    if (!this.#points.delete(finger)) return false
    const wasPinching = this.#isPinching
    this.#isPinching = wasPinching && this.#points.size > 0
    this.#startPinch()
    return wasPinching
  }

  /** Start a pinch where the first two fingers are. */
  #startPinch(): void {
    const [first, second] = this.#points.keys()
    if (first === undefined || second === undefined) {
      this.#pinch = null
      return
    }
    const { distance, fraction } = this.#between(first, second)
    const visible = this.viewport.visibleFrame()
    this.#pinch = {
      fingers: [first, second],
      distance,
      factor: this.viewport.fullFrame().width / visible.width,
      point: { x: visible.x + fraction.x * visible.width, y: visible.y + fraction.y * visible.height },
    }
  }

  #follow({ fingers, distance, factor, point }: Pinch): void {
    const current = this.#between(...fingers)
    this.viewport.show(
      zoomFrame(this.viewport.fullFrame(), (factor * current.distance) / distance, point, current.fraction),
    )
  }

  /** The distance between two fingers, and the fraction of the drawing's sides at their middle. */
  #between(first: number, second: number): { distance: number; fraction: Point } {
    const { left, top, width, height } = this.viewport.rectangle()
    const [a, b] = [this.#points.get(first) as Point, this.#points.get(second) as Point]
    return {
      distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1),
      fraction: { x: ((a.x + b.x) / 2 - left) / width, y: ((a.y + b.y) / 2 - top) / height },
    }
  }
}
