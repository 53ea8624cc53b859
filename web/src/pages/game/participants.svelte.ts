/**
 * The people of a game, online: the player's own seats, who is present, greetings. At home every seat is everybody's.
 */
import type { Colour, Game, Greeting, Presence, You } from '../../api/model'

/** A greeting just received; it disappears by itself. */
export interface ShownGreeting {
  readonly greeting: Greeting
  /** Grows with each, so that the same greeting again is a new one. */
  readonly number: number
}

export const GREETINGS: readonly Greeting[] = ['hello', 'good_luck', 'well_played', 'thanks', 'sorry', 'bye']
/** How long a greeting is shown, in milliseconds. */
const GREETING_MS = 6000

export class Participants {
  you: You | null = $state.raw(null)
  presence: Presence | null = $state.raw(null)
  greetings: Readonly<Record<Colour, ShownGreeting | null>> = $state.raw({ w: null, b: null })
  #timers = new Set<ReturnType<typeof setTimeout>>()
  #greetingCount = 0

  constructor(you: You | null) {
    this.you = you
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Whether the player may play a colour. */
  hasSeat(colour: Colour): boolean {
    return !this.you || this.you.seats.includes(colour)
  }

  /** Whether the player is a spectator. */
  get isSpectator(): boolean {
    return this.you !== null && !this.you.seats.length
  }

  /** Whether two people play at two screens; then undo and the like are offers. */
  isBetweenPeople({ seats }: Pick<Game, 'seats'>): boolean {
    const { you } = this
    if (!you || seats.w.type !== 'person' || seats.b.type !== 'person') return false
    return you.seats.length < 2 && seats.w.player?.id !== seats.b.player?.id
  }

  /** Show a greeting for a while. */
  showGreeting(by: Colour, greeting: Greeting): void {
    const entry = { greeting, number: ++this.#greetingCount }
    this.greetings = { ...this.greetings, [by]: entry }
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (this.greetings[by] === entry) this.greetings = { ...this.greetings, [by]: null }
    }, GREETING_MS)
    this.#timers.add(timer)
  }
}
