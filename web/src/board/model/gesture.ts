/**
 * Turns pointer events into actions, headless: a press that stays is a tap, one that moves is a drag, one that lasts is
 * a peek. A finger where the selected piece may land, or beside that, aims: it may slide on before it is lifted. Points
 * are in the drawing's units; the board says what lies under them.
 */
import type { Colour, Kind, SpaceName } from '../../api/model'
import type { Aim, HeadingAim } from './aim'
import type { Action } from './entry'
import { type Point, SPACING } from './shape'

export interface GestureTarget {
  /** The space that a pointer aims at. */
  aimAt(point: Point, touch: boolean): Aim | null
  /** The handle of a heading under a point, while a ghost waits for its heading. */
  handleAt(point: Point, touch: boolean): HeadingAim | null
  /** What a press there may drag: the ghost, or a piece that may be moved. */
  gripAt(space: SpaceName): 'ghost' | 'piece' | 'chosen' | null
  /** Whether a finger there aims at a landing: on one, or on an empty space beside one. */
  isAimable(space: SpaceName): boolean
  act(action: Action): void
  /** Show the pieces of a stack one by one; returns whether there is something to see. */
  peek(space: SpaceName | null): boolean
  /** Magnify what a finger aims at. */
  magnify(point: Point | null): void
  /** Move the visible part of the board; returns whether it can be moved. */
  pan(by: Point): boolean
  /** The point of the drawing under a pointer, wherever on the page it began. */
  locate(pointer: Pointer): { readonly point: Point; readonly touchInfo: TouchInfo }
}

/** The part of a browser's pointer event that is used. */
export interface Pointer {
  readonly clientX: number
  readonly clientY: number
  readonly pointerType: string
}

export interface TouchInfo {
  readonly isTouch: boolean
  /** The distance in drawing units at which a finger does not hide what it drags. */
  readonly clearance: number
}

interface Press {
  readonly start: Point
  readonly origin: { readonly aim: Aim | null } | { readonly kind: Kind; readonly colour: Colour }
  readonly touchInfo: TouchInfo
  /** Whether a finger aims at what is under it; one that drags aims above itself. */
  readonly isAiming: boolean
  state: 'still' | 'dragging' | 'peeking' | 'panning' | 'astray'
  readonly timers: ReturnType<typeof setTimeout>[]
}

export const LONG_PRESS_MS = 480
export const HOVER_DELAY_MS = 700
/** A finger that rests so long is not a tap: it gets the lens. */
export const LENS_DELAY_MS = 170
const DRAG_DISTANCE = SPACING / 4

export class Gesture {
  #press: Press | null = null
  #restTimer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly target: GestureTarget) {}

  get isDragging(): boolean {
    return this.#press?.state === 'dragging'
  }

  /** Whether a finger that comes down there grips something: then it must not scroll the page. */
  canGrip(point: Point): boolean {
    if (this.target.handleAt(point, true)) return true
    const aim = this.target.aimAt(point, true)
    return aim !== null && (this.target.gripAt(aim.space) !== null || this.#isAiming(point, aim))
  }

  /** A button or finger goes down on the board. */
  press(point: Point, touchInfo: TouchInfo): void {
    const aim = this.target.aimAt(point, touchInfo.isTouch)
    const isAiming = touchInfo.isTouch && aim !== null && this.#isAiming(point, aim)
    this.#rest(null)
    const press = this.#begin(point, { aim }, touchInfo, isAiming)
    if (!aim) return
    if (isAiming) press.timers.push(setTimeout(() => this.target.magnify(point), LENS_DELAY_MS))
    press.timers.push(
      setTimeout(() => {
        if (!this.target.peek(aim.space)) return
        press.state = 'peeking'
        this.target.magnify(null)
      }, LONG_PRESS_MS),
    )
  }

  /** A button or finger goes down on a piece in a set. */
  pressSet(kind: Kind, colour: Colour, pointer: Pointer): void {
    const { point, touchInfo } = this.target.locate(pointer)
    this.#begin(point, { kind, colour }, touchInfo, false)
  }

  move(point: Point, touch: boolean): void {
    const press = this.#press
    if (!press) {
      if (!touch) this.#hover(point)
      return
    }
    if (press.state === 'still' || press.state === 'peeking') {
      const distance = Math.hypot(point.x - press.start.x, point.y - press.start.y)
      // Whoever peeked first and then pulls wants to drag; a finger that merely trembles still peeks.
      if (distance < (press.state === 'peeking' ? SPACING : DRAG_DISTANCE)) return
      this.#leaveStart(press)
    }
    if (press.state === 'dragging') {
      const aimedPoint = this.#aimPoint(point, press)
      this.target.act({ do: 'hover', space: this.target.aimAt(aimedPoint, touch)?.space ?? null })
      if (touch) this.target.magnify(aimedPoint)
    } else if (press.state === 'panning') {
      // The point that was pressed stays under the finger.
      this.target.pan({ x: press.start.x - point.x, y: press.start.y - point.y })
    }
  }

  /** End the press; returns whether it was more than a tap, so that a click that follows is ignored. */
  release(point: Point): boolean {
    const press = this.#end()
    if (!press) return false
    if (press.state === 'peeking' || press.state === 'panning') return true
    if (press.state === 'dragging') {
      const aim = this.target.aimAt(this.#aimPoint(point, press), press.touchInfo.isTouch)
      if (aim) this.target.act({ do: 'drop', ...aim })
      // A finger that slid off the board has aimed at nothing; a piece that is dropped there is put back.
      else this.target.act(press.isAiming ? { do: 'hover', space: null } : { do: 'drop', space: null })
      return true
    }
    if ('kind' in press.origin) return false
    const handle = this.target.handleAt(point, press.touchInfo.isTouch)
    if (handle) this.target.act({ do: 'head', ...handle })
    else if (press.origin.aim) this.target.act({ do: 'tap', ...press.origin.aim })
    return false
  }

  /** Cancel the press: a scroll or a pinch began, or the window lost the pointer. */
  abandon(): void {
    if (this.#end()?.state === 'dragging') this.target.act({ do: 'hover', space: null })
  }

  leave(): void {
    this.#rest(null)
    if (!this.#press) this.target.act({ do: 'hover', space: null })
  }

  /** Whether a finger there aims at a landing; on a piece or a handle it grips that. */
  #isAiming(point: Point, { space }: Aim): boolean {
    return !this.target.gripAt(space) && this.target.isAimable(space) && !this.target.handleAt(point, true)
  }

  #begin(start: Point, origin: Press['origin'], touchInfo: TouchInfo, isAiming: boolean): Press {
    this.#end()
    return (this.#press = { start, origin, touchInfo, isAiming, state: 'still', timers: [] })
  }

  #end(): Press | null {
    const press = this.#press
    this.#press = null
    if (!press) return null
    press.timers.forEach(clearTimeout)
    if (press.state === 'peeking') this.target.peek(null)
    if (press.touchInfo.isTouch) this.target.magnify(null)
    return press
  }

  /** Decide once what a press becomes when it leaves the place where it began. */
  #leaveStart(press: Press): void {
    press.timers.forEach(clearTimeout)
    const wasPeeking = press.state === 'peeking'
    if (this.#startDrag(press)) press.state = 'dragging'
    // Whoever peeks and pulls at nothing goes on peeking.
    else if (!wasPeeking)
      press.state = press.touchInfo.isTouch && this.target.pan({ x: 0, y: 0 }) ? 'panning' : 'astray'
    if (wasPeeking && press.state === 'dragging') this.target.peek(null)
  }

  #startDrag(press: Press): boolean {
    if ('kind' in press.origin) {
      this.target.act({ do: 'take', kind: press.origin.kind, colour: press.origin.colour })
      return true
    }
    if (!press.origin.aim) return false
    const { space } = press.origin.aim
    const grip = this.target.gripAt(space)
    if (grip === 'ghost' || press.isAiming) this.target.act({ do: 'lift' })
    if (grip === 'piece') this.target.act({ do: 'tap', space })
    return grip !== null || press.isAiming
  }

  /** The point aimed at while dragging: a finger that holds a piece aims a little above itself. */
  #aimPoint({ x, y }: Point, { touchInfo: { isTouch: touch, clearance }, isAiming: aiming }: Press): Point {
    return touch && !aiming ? { x, y: y - clearance } : { x, y }
  }

  #hover(point: Point): void {
    const space = this.target.aimAt(point, false)?.space ?? null
    this.target.act({ do: 'hover', space })
    this.#rest(space)
  }

  #restSpace: SpaceName | null = null

  /** Peek when a mouse rests on a space; stop when it moves on. */
  #rest(space: SpaceName | null): void {
    if (space === this.#restSpace) return
    clearTimeout(this.#restTimer)
    this.#restSpace = space
    this.target.peek(null)
    if (space) this.#restTimer = setTimeout(() => this.target.peek(space), HOVER_DELAY_MS)
  }
}
