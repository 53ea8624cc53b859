/** Delays the computer's reply until the player has seen their own move. With reduced motion there is no delay. */
import type { Game } from '../../api/model'
import { isOutdated } from './revisions'

/** How long the player's own move is shown alone, in milliseconds: its piece has come to rest by then. */
export const OWN_MOVE_MS = 500

export class ReplyDelay {
  #delayed: Game | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the delay ends. */
  #endsAt = 0
  /** Whether a move is being sent: its replies may arrive before its own response. */
  #isSending = false

  /** `show` shows a game; `hasReducedMotion` tells whether motion is unwanted. */
  constructor(
    readonly show: (game: Game) => void,
    readonly hasReducedMotion: () => boolean,
  ) {}

  /** A move is being sent; until the delay starts, or `endSending`, its replies wait. */
  startSending(): void {
    this.#isSending = true
  }

  /** The move was answered, or got lost. */
  endSending(): void {
    this.#isSending = false
    this.#schedule()
  }

  /** Start the delay: the player's own move is shown now, however it was received. */
  startDelay(): void {
    this.#isSending = false
    this.#endsAt = this.hasReducedMotion() ? 0 : performance.now() + OWN_MOVE_MS
    this.#schedule()
  }

  /** Delay an update that is a reply to a move being sent, or shown too shortly; returns whether it is delayed. */
  delay(update: Game, current: Game): boolean {
    if (this.#delayed && !isOutdated(update, this.#delayed)) this.#delayed = null
    const lastMove = update.view.last
    const isReply = lastMove !== null && update.ply > current.ply && update.seats[lastMove.colour].type === 'engine'
    if (!isReply || !(this.#isSending || this.#remaining > 0)) return false
    this.#delayed = update
    this.#schedule()
    return true
  }

  /** Show a delayed update at once: the player wants something else. */
  flush(): void {
    clearTimeout(this.#timer)
    const delayed = this.#delayed
    this.#delayed = null
    if (delayed) this.show(delayed)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#delayed = null
  }

  get #remaining(): number {
    return this.#endsAt - performance.now()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#delayed && !this.#isSending) this.#timer = setTimeout(() => this.flush(), Math.max(0, this.#remaining))
  }
}
