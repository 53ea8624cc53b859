/**
 * Pointers to actions, headless: a press that stays is a tap, one that wanders is a drag, one that lasts is a peek.
 * Points are in the drawing's units; the board says what lies under them.
 */
import type { Colour, Heading, Kind, SpaceName } from '../../net/model'
import type { Aim } from './aim'
import type { Action } from './entry'
import { type Point, SPACING } from './shape'

export interface Surroundings {
  /** The space a pointer there means. */
  aimAt(point: Point, touch: boolean): Aim | null
  /** The handle of a heading under a point, while a ghost waits for its heading. */
  handleAt(point: Point, touch: boolean): Heading | null
  /** Whether a press there may become a drag: on the ghost, or on a piece that may be taken. */
  grips(space: SpaceName): 'ghost' | 'piece' | 'chosen' | null
  act(action: Action): void
  peek(space: SpaceName | null): void
  /** Where on the drawing a pointer is, wherever on the page it began. */
  locate(pointer: Pointer): { readonly point: Point; readonly how: Touch }
}

/** What of a browser's pointer event matters here. */
export interface Pointer {
  readonly clientX: number
  readonly clientY: number
  readonly pointerType: string
}

export interface Touch {
  readonly touch: boolean
  /** How many drawing units a finger needs beside it, so that it does not hide what it drags. */
  readonly clearance: number
}

interface Press {
  readonly start: Point
  readonly from: { readonly aim: Aim | null } | { readonly kind: Kind; readonly colour: Colour }
  readonly how: Touch
  dragging: boolean
  peeking: boolean
  timer?: ReturnType<typeof setTimeout>
}

export const LONG_PRESS = 480
export const HOVER_DELAY = 700
const WANDER = SPACING / 4

export class Gesture {
  #press: Press | null = null
  #resting: ReturnType<typeof setTimeout> | undefined

  constructor(readonly around: Surroundings) {}

  get dragging(): boolean {
    return this.#press?.dragging ?? false
  }

  /** A button or finger goes down on the board. */
  press(point: Point, how: Touch): void {
    const aim = this.around.aimAt(point, how.touch)
    this.#rest(null)
    this.#begin({ start: point, from: { aim }, how, dragging: false, peeking: false })
    const press = this.#press
    if (!press || !aim) return
    press.timer = setTimeout(() => {
      press.peeking = true
      this.around.peek(aim.space)
    }, LONG_PRESS)
  }

  /** A button or finger goes down on a piece in a set. */
  pressSet(kind: Kind, colour: Colour, pointer: Pointer): void {
    const { point, how } = this.around.locate(pointer)
    this.#begin({ start: point, from: { kind, colour }, how, dragging: false, peeking: false })
  }

  move(point: Point, touch: boolean): void {
    const press = this.#press
    if (!press) {
      if (!touch) this.#pass(point)
      return
    }
    if (!press.dragging) {
      const way = Math.hypot(point.x - press.start.x, point.y - press.start.y)
      // Who looked first and then pulls means to drag; a finger that merely trembles still looks.
      if (way < (press.peeking ? SPACING : WANDER)) return
      clearTimeout(press.timer)
      press.dragging = this.#startDrag(press)
      if (press.dragging && press.peeking) {
        press.peeking = false
        this.around.peek(null)
      }
    }
    if (press.dragging) this.around.act({ do: 'hover', space: this.#under(point, press)?.space ?? null })
  }

  /** Returns whether the press was a drag or a peek, so that a click that follows means nothing. */
  release(point: Point): boolean {
    const press = this.#end()
    if (!press) return false
    if (press.peeking) {
      this.around.peek(null)
      return true
    }
    if (press.dragging) {
      const under = this.#under(point, press)
      this.around.act(under ? { do: 'drop', ...under } : { do: 'drop', space: null })
      return true
    }
    if ('kind' in press.from) return false
    const handle = this.around.handleAt(point, press.how.touch)
    if (handle) this.around.act({ do: 'head', heading: handle })
    else if (press.from.aim) this.around.act({ do: 'tap', ...press.from.aim })
    return false
  }

  /** The pointer was taken away: a scroll began, or the window lost it. */
  abandon(): void {
    const press = this.#end()
    if (press?.peeking) this.around.peek(null)
    if (press?.dragging) this.around.act({ do: 'hover', space: null })
  }

  leave(): void {
    this.#rest(null)
    if (!this.#press) this.around.act({ do: 'hover', space: null })
  }

  #begin(press: Press): void {
    this.#end()
    this.#press = press
  }

  #end(): Press | null {
    const press = this.#press
    clearTimeout(press?.timer)
    this.#press = null
    return press
  }

  #startDrag(press: Press): boolean {
    if ('kind' in press.from) {
      this.around.act({ do: 'take', kind: press.from.kind, colour: press.from.colour })
      return true
    }
    if (!press.from.aim) return false
    const { space } = press.from.aim
    const grip = this.around.grips(space)
    if (grip === 'ghost') this.around.act({ do: 'lift' })
    if (grip === 'piece') this.around.act({ do: 'tap', space })
    return grip !== null
  }

  /** What is meant while dragging: a finger points a little above itself. */
  #under(point: Point, { how: { touch, clearance } }: Press): Aim | null {
    return this.around.aimAt(touch ? { x: point.x, y: point.y - clearance } : point, touch)
  }

  #pass(point: Point): void {
    const space = this.around.aimAt(point, false)?.space ?? null
    this.around.act({ do: 'hover', space })
    this.#rest(space)
  }

  #restingOn: SpaceName | null = null

  /** A mouse that rests on a space peeks; one that moves on stops peeking. */
  #rest(space: SpaceName | null): void {
    if (space === this.#restingOn) return
    clearTimeout(this.#resting)
    this.#restingOn = space
    this.around.peek(null)
    if (space) this.#resting = setTimeout(() => this.around.peek(space), HOVER_DELAY)
  }
}
