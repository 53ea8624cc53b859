/**
 * Converts wheel and trackpad events to rotations: notches come as one large step, two fingers as many small ones, and
 * browsers count in pixels, lines or pages. Small steps are added up to one heading.
 */
const PIXELS_PER_HEADING = 100
/** A notch of a mouse wheel, where a browser counts in lines. */
const LINES_PER_HEADING = 3
/** Milliseconds after which a movement is a new one, which begins at zero. */
const PAUSE_MS = 250

/** The part of a browser's wheel event that is used. */
export interface WheelMovement {
  readonly deltaX: number
  readonly deltaY: number
  readonly deltaMode: number
  readonly timeStamp: number
}

export class Wheel {
  #distance = 0
  #lastTime = -Infinity

  /** By how many headings to rotate now, clockwise. */
  headingSteps({ deltaX, deltaY, deltaMode, timeStamp }: WheelMovement): number {
    const delta = Math.abs(deltaY) >= Math.abs(deltaX) ? deltaY : deltaX
    const unit = deltaMode === 0 ? 1 : deltaMode === 1 ? PIXELS_PER_HEADING / LINES_PER_HEADING : PIXELS_PER_HEADING
    const distance = delta * unit
    if (timeStamp - this.#lastTime > PAUSE_MS || distance * this.#distance < 0) this.#distance = 0
    this.#lastTime = timeStamp
    this.#distance += distance
    // Three thirds make a whole, despite floating-point arithmetic.
    const steps = Math.trunc(Math.round(this.#distance * 1000) / (1000 * PIXELS_PER_HEADING))
    // What is left of a notch is dropped: on some systems it is 120 pixels, and every fifth would rotate twice.
    this.#distance = Math.abs(distance) >= PIXELS_PER_HEADING ? 0 : this.#distance - steps * PIXELS_PER_HEADING
    // The zero that is added keeps -0 out.
    return steps + 0
  }
}
