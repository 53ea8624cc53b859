/**
 * Two fingers on the board bring it closer, and move it: what lay between them stays between them. Headless; points are
 * on the screen, what is seen of the drawing is a frame in its units.
 */
import type { Frame } from './projection'
import type { Point } from './shape'

/** Where on the screen the drawing is. */
export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Glass {
  /** The whole drawing. */
  whole(): Frame
  /** What is seen of it now. */
  shown(): Frame
  /** Where on the screen that is. */
  place(): Rectangle
  show(frame: Frame): void
}

export const CLOSEST = 3
/** So little closer is not worth a button to go back. */
const NEARLY_WHOLE = 1.06

/** The part of the drawing that is moved by so much, never beyond its edges. */
export function moved(whole: Frame, shown: Frame, by: Point): Frame {
  const within = (value: number, least: number, room: number): number => Math.min(Math.max(value, least), least + room)
  return {
    ...shown,
    x: within(shown.x + by.x, whole.x, whole.width - shown.width),
    y: within(shown.y + by.y, whole.y, whole.height - shown.height),
  }
}

/** The part that is so many times as close as the whole, with a point of the drawing at a share of its sides. */
export function closer(whole: Frame, times: number, point: Point, share: Point): Frame {
  const scale = Math.min(Math.max(times, 1), CLOSEST)
  if (scale < NEARLY_WHOLE) return whole
  const [width, height] = [whole.width / scale, whole.height / scale]
  const part = { x: point.x - share.x * width, y: point.y - share.y * height, width, height }
  return moved(whole, part, { x: 0, y: 0 })
}

interface Pinch {
  readonly fingers: readonly [number, number]
  readonly apart: number
  readonly times: number
  /** The point of the drawing between the fingers. */
  readonly point: Point
}

/** The fingers on the board. From the second one on they pinch, until all have left. */
export class Fingers {
  readonly #down = new Map<number, Point>()
  #pinch: Pinch | null = null
  #pinched = false

  constructor(readonly glass: Glass) {}

  /** A finger comes down; returns whether it makes a pinch of it. */
  down(finger: number, at: Point): boolean {
    this.#down.set(finger, at)
    this.#pinched ||= this.#down.size > 1
    this.#grasp()
    return this.#pinched
  }

  /** A finger moves; returns whether that is part of a pinch. */
  move(finger: number, to: Point): boolean {
    if (!this.#down.has(finger)) return false
    this.#down.set(finger, to)
    if (this.#pinch) this.#follow(this.#pinch)
    return this.#pinched
  }

  /** A finger leaves; returns whether it was part of a pinch. */
  up(finger: number): boolean {
    if (!this.#down.delete(finger)) return false
    const pinched = this.#pinched
    this.#pinched = pinched && this.#down.size > 0
    this.#grasp()
    return pinched
  }

  /** Takes hold of the drawing where the first two fingers are. */
  #grasp(): void {
    const [first, second] = this.#down.keys()
    if (first === undefined || second === undefined) {
      this.#pinch = null
      return
    }
    const { apart, share } = this.#between(first, second)
    const shown = this.glass.shown()
    this.#pinch = {
      fingers: [first, second],
      apart,
      times: this.glass.whole().width / shown.width,
      point: { x: shown.x + share.x * shown.width, y: shown.y + share.y * shown.height },
    }
  }

  #follow({ fingers, apart, times, point }: Pinch): void {
    const now = this.#between(...fingers)
    this.glass.show(closer(this.glass.whole(), (times * now.apart) / apart, point, now.share))
  }

  /** How far two fingers are apart, and at which share of the drawing's sides their middle is. */
  #between(first: number, second: number): { apart: number; share: Point } {
    const { left, top, width, height } = this.glass.place()
    const [a, b] = [this.#down.get(first) as Point, this.#down.get(second) as Point]
    return {
      apart: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1),
      share: { x: ((a.x + b.x) / 2 - left) / width, y: ((a.y + b.y) / 2 - top) / height },
    }
  }
}
