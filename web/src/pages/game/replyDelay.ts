/**
 * The computer may answer in no time; its reply still waits until the player has seen their own turn. Whoever wants no
 * motion waits for nothing.
 */
import type { Game } from '../../api/model'
import { isOutdated } from './revisions'

/** How long a turn of one's own is looked at, in milliseconds: its piece has come to rest by then. */
export const OWN_MOVE_MS = 500

export class ReplyDelay {
  #held: Game | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Until when the player looks at a turn of their own. */
  #until = 0
  /** A turn is on its way: what follows from it may be told sooner than the turn itself. */
  #sender = false

  /** `show` puts a game on the screen; `still` tells whether motion is unwanted. */
  constructor(
    readonly show: (game: Game) => void,
    readonly still: () => boolean,
  ) {}

  /** A turn is sent; until it is seen, or `sent`, its replies wait. */
  send(): void {
    this.#sender = true
  }

  /** The turn was answered, or got lost. */
  sent(): void {
    this.#sender = false
    this.#wait()
  }

  /** The player sees a turn of their own from now on, by whichever way it came. */
  seen(): void {
    this.#sender = false
    this.#until = this.still() ? 0 : performance.now() + OWN_MOVE_MS
    this.#wait()
  }

  /** Whether news wait: a reply to a turn that is on its way, or that was not seen long enough. */
  holds(news: Game, shown: Game): boolean {
    if (this.#held && !isOutdated(news, this.#held)) this.#held = null
    const last = news.view.last
    const replies = last !== null && news.ply > shown.ply && news.seats[last.colour].type === 'engine'
    if (!replies || !(this.#sender || this.#left > 0)) return false
    this.#held = news
    this.#wait()
    return true
  }

  /** Show at once what waits: the player wants something else. */
  flush(): void {
    clearTimeout(this.#timer)
    const held = this.#held
    this.#held = null
    if (held) this.show(held)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#held = null
  }

  get #left(): number {
    return this.#until - performance.now()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#held && !this.#sender) this.#timer = setTimeout(() => this.flush(), Math.max(0, this.#left))
  }
}
