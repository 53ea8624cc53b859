/**
 * Who else is at the table, where people meet: which seats are one's own, who is there, what they wave across. At home
 * there is no company, and every seat is everybody's.
 */
import type { Colour, Game, Greeting, Presence, You } from '../../api/model'

/** A greeting just seen; it fades by itself. */
export interface ShownGreeting {
  readonly greeting: Greeting
  /** Grows with each, so that the same one again is a new one. */
  readonly number: number
}

export const GREETINGS: readonly Greeting[] = ['hello', 'good_luck', 'well_played', 'thanks', 'sorry', 'bye']
/** How long a greeting is seen, in milliseconds. */
const SEEN = 6000

export class Participants {
  you: You | null = $state.raw(null)
  presence: Presence | null = $state.raw(null)
  shownGreetings: Readonly<Record<Colour, ShownGreeting | null>> = $state.raw({ w: null, b: null })
  #timers = new Set<ReturnType<typeof setTimeout>>()
  #waves = 0

  constructor(you: You | null) {
    this.you = you
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Whether one may play a colour. */
  sitsAt(colour: Colour): boolean {
    return !this.you || this.you.seats.includes(colour)
  }

  /** Whether one only looks on. */
  get watching(): boolean {
    return this.you !== null && !this.you.seats.length
  }

  /** Whether two people play, each at a screen of their own; then what one wishes the other must grant. */
  isBetween({ seats }: Pick<Game, 'seats'>): boolean {
    const { you } = this
    if (!you || seats.w.type !== 'person' || seats.b.type !== 'person') return false
    return you.seats.length < 2 && seats.w.player?.id !== seats.b.player?.id
  }

  /** Show a greeting for a while. */
  showGreeting(by: Colour, greeting: Greeting): void {
    const shown = { greeting, number: ++this.#waves }
    this.shownGreetings = { ...this.shownGreetings, [by]: shown }
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (this.shownGreetings[by] === shown) this.shownGreetings = { ...this.shownGreetings, [by]: null }
    }, SEEN)
    this.#timers.add(timer)
  }
}
