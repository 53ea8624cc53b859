/**
 * Pointers to actions, headless: a press that stays is a tap, one that wanders is a drag, one that lasts is a peek. A
 * finger where the chosen piece may land, or beside that, aims: it may slide on before it is lifted.
 * Points are in the drawing's units; the board says what lies under them.
 */
import type { Colour, Kind, SpaceName } from '../../api/model'
import type { Aim, Turning } from './aim'
import type { Action } from './entry'
import { type Point, SPACING } from './shape'

export interface Surroundings {
  /** The space a pointer there means. */
  aimAt(point: Point, touch: boolean): Aim | null
  /** The handle of a heading under a point, while a ghost waits for its heading. */
  handleAt(point: Point, touch: boolean): Turning | null
  /** Whether a press there may become a drag: on the ghost, or on a piece that may be taken. */
  grips(space: SpaceName): 'ghost' | 'piece' | 'chosen' | null
  /** Whether a finger there looks for a place to land: on one, or on an empty space beside one. */
  aims(space: SpaceName): boolean
  act(action: Action): void
  /** Take the stack there apart; returns whether there is something to see. */
  peek(space: SpaceName | null): boolean
  /** Show larger what a finger aims at. */
  magnify(point: Point | null): void
  /** Move what is seen of the board; returns whether it can be moved. */
  pan(by: Point): boolean
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
  /** A finger that aims means what is under it; one that drags, what it holds clear of itself. */
  readonly aiming: boolean
  state: 'still' | 'dragging' | 'peeking' | 'panning' | 'astray'
  readonly timers: ReturnType<typeof setTimeout>[]
}

export const LONG_PRESS = 480
export const HOVER_DELAY = 700
/** A finger that rests so long is not a tap: it looks where it is. */
export const LENS_DELAY = 170
const WANDER = SPACING / 4

export class Gesture {
  #press: Press | null = null
  #resting: ReturnType<typeof setTimeout> | undefined

  constructor(readonly around: Surroundings) {}

  get dragging(): boolean {
    return this.#press?.state === 'dragging'
  }

  /** Whether a finger that comes down there takes hold of something: then it must not scroll the page. */
  holds(point: Point): boolean {
    if (this.around.handleAt(point, true)) return true
    const aim = this.around.aimAt(point, true)
    return aim !== null && (this.around.grips(aim.space) !== null || this.#aims(point, aim))
  }

  /** A button or finger goes down on the board. */
  press(point: Point, how: Touch): void {
    const aim = this.around.aimAt(point, how.touch)
    const aiming = how.touch && aim !== null && this.#aims(point, aim)
    this.#rest(null)
    const press = this.#begin(point, { aim }, how, aiming)
    if (!aim) return
    if (aiming) press.timers.push(setTimeout(() => this.around.magnify(point), LENS_DELAY))
    press.timers.push(
      setTimeout(() => {
        if (!this.around.peek(aim.space)) return
        press.state = 'peeking'
        this.around.magnify(null)
      }, LONG_PRESS),
    )
  }

  /** A button or finger goes down on a piece in a set. */
  pressSet(kind: Kind, colour: Colour, pointer: Pointer): void {
    const { point, how } = this.around.locate(pointer)
    this.#begin(point, { kind, colour }, how, false)
  }

  move(point: Point, touch: boolean): void {
    const press = this.#press
    if (!press) {
      if (!touch) this.#pass(point)
      return
    }
    if (press.state === 'still' || press.state === 'peeking') {
      const way = Math.hypot(point.x - press.start.x, point.y - press.start.y)
      // Who looked first and then pulls means to drag; a finger that merely trembles still looks.
      if (way < (press.state === 'peeking' ? SPACING : WANDER)) return
      this.#wander(press)
    }
    if (press.state === 'dragging') {
      const aimed = this.#aimed(point, press)
      this.around.act({ do: 'hover', space: this.around.aimAt(aimed, touch)?.space ?? null })
      if (touch) this.around.magnify(aimed)
    } else if (press.state === 'panning') {
      // The point that was pressed stays under the finger.
      this.around.pan({ x: press.start.x - point.x, y: press.start.y - point.y })
    }
  }

  /** Returns whether the press was more than a tap, so that a click that follows means nothing. */
  release(point: Point): boolean {
    const press = this.#end()
    if (!press) return false
    if (press.state === 'peeking' || press.state === 'panning') return true
    if (press.state === 'dragging') {
      const under = this.around.aimAt(this.#aimed(point, press), press.how.touch)
      if (under) this.around.act({ do: 'drop', ...under })
      // A finger that slid off the board has aimed at nothing; a piece that is dropped there is put back.
      else this.around.act(press.aiming ? { do: 'hover', space: null } : { do: 'drop', space: null })
      return true
    }
    if ('kind' in press.from) return false
    const handle = this.around.handleAt(point, press.how.touch)
    if (handle) this.around.act({ do: 'head', ...handle })
    else if (press.from.aim) this.around.act({ do: 'tap', ...press.from.aim })
    return false
  }

  /** The pointer was taken away: a scroll or a pinch began, or the window lost it. */
  abandon(): void {
    if (this.#end()?.state === 'dragging') this.around.act({ do: 'hover', space: null })
  }

  leave(): void {
    this.#rest(null)
    if (!this.#press) this.around.act({ do: 'hover', space: null })
  }

  /** Whether a finger there looks for a place to land; on a piece or a handle it has taken hold of that. */
  #aims(point: Point, { space }: Aim): boolean {
    return !this.around.grips(space) && this.around.aims(space) && !this.around.handleAt(point, true)
  }

  #begin(start: Point, from: Press['from'], how: Touch, aiming: boolean): Press {
    this.#end()
    return (this.#press = { start, from, how, aiming, state: 'still', timers: [] })
  }

  #end(): Press | null {
    const press = this.#press
    this.#press = null
    if (!press) return null
    press.timers.forEach(clearTimeout)
    if (press.state === 'peeking') this.around.peek(null)
    if (press.how.touch) this.around.magnify(null)
    return press
  }

  /** A press leaves the place where it began: what becomes of it is decided once. */
  #wander(press: Press): void {
    press.timers.forEach(clearTimeout)
    const peeked = press.state === 'peeking'
    if (this.#startDrag(press)) press.state = 'dragging'
    // Who looks and pulls at nothing goes on looking.
    else if (!peeked) press.state = press.how.touch && this.around.pan({ x: 0, y: 0 }) ? 'panning' : 'astray'
    if (peeked && press.state === 'dragging') this.around.peek(null)
  }

  #startDrag(press: Press): boolean {
    if ('kind' in press.from) {
      this.around.act({ do: 'take', kind: press.from.kind, colour: press.from.colour })
      return true
    }
    if (!press.from.aim) return false
    const { space } = press.from.aim
    const grip = this.around.grips(space)
    if (grip === 'ghost' || press.aiming) this.around.act({ do: 'lift' })
    if (grip === 'piece') this.around.act({ do: 'tap', space })
    return grip !== null || press.aiming
  }

  /** What is meant while dragging: a finger that holds a piece points a little above itself. */
  #aimed({ x, y }: Point, { how: { touch, clearance }, aiming }: Press): Point {
    return touch && !aiming ? { x, y: y - clearance } : { x, y }
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
