/**
 * A wheel or a trackpad to headings: notches come as one large step, two fingers as many small ones, and browsers count
 * in pixels, lines or pages. Small steps add up; so much of a way is one heading.
 */
export const PIXELS_PER_HEADING = 100
/** What a notch of a mouse wheel is, where a browser counts in lines. */
const LINES_PER_HEADING = 3
/** Milliseconds after which a movement is a new one, which begins from nothing. */
const PAUSE = 250

/** What of a browser's wheel event matters here. */
export interface WheelTurn {
  readonly deltaX: number
  readonly deltaY: number
  readonly deltaMode: number
  readonly timeStamp: number
}

export class Wheel {
  #way = 0
  #last = -Infinity

  /** How many headings to turn by now, clockwise. */
  turn({ deltaX, deltaY, deltaMode, timeStamp }: WheelTurn): number {
    const delta = Math.abs(deltaY) >= Math.abs(deltaX) ? deltaY : deltaX
    const unit = deltaMode === 0 ? 1 : deltaMode === 1 ? PIXELS_PER_HEADING / LINES_PER_HEADING : PIXELS_PER_HEADING
    const way = delta * unit
    if (timeStamp - this.#last > PAUSE || way * this.#way < 0) this.#way = 0
    this.#last = timeStamp
    this.#way += way
    // Three thirds make a whole, whatever the computer's arithmetic says.
    const steps = Math.trunc(Math.round(this.#way * 1000) / (1000 * PIXELS_PER_HEADING))
    // What is left of a notch is nothing: on some systems it is 120 pixels, and every fifth would turn twice.
    this.#way = Math.abs(way) >= PIXELS_PER_HEADING ? 0 : this.#way - steps * PIXELS_PER_HEADING
    // The zero that is added keeps -0 out.
    return steps + 0
  }
}
