/** The engine beside the board: searches the position shown, as long as it is on. */
import type { Colour } from '../../api/model'
import type { Kernel, Report, Search } from '../../kernel/kernel'
import { errorWords } from '../../ui/errors'

/** Seconds of the first search of a position. */
const FIRST_SECONDS = 10
/** Each deeper search takes so many times longer. */
const DEEPER_FACTOR = 4
export const MAX_VARIATIONS = 5

/** The position to search. */
export interface EnginePosition {
  readonly start: string
  readonly turns: readonly string[]
  /** Whose turn it is. */
  readonly turn: Colour
  /** Whether the game is over. */
  readonly isOver: boolean
}

export class Engine {
  isOn = $state(false)
  variations = $state(3)
  /** Search as if it were the other side's turn. */
  threat = $state(false)
  report: Report | null = $state.raw(null)
  isBusy = $state(false)
  /** Why it does not search. */
  error = $state('')
  /** The chance in the previous position: shown until this one has a report, so that nothing flickers. */
  #previousChance: number | null = $state(null)
  #search: Search | null = null
  #position: EnginePosition | null = null
  #seconds = FIRST_SECONDS

  constructor(readonly kernel: Kernel) {}

  /** The side whose chances are reported: the side to move, or the other one if its threats are searched. */
  get side(): Colour | null {
    if (!this.#position) return null
    return this.threat ? other(this.#position.turn) : this.#position.turn
  }

  /** White's chance of winning, 0 to 1; null while nothing is known. */
  readonly chance: number | null = $derived.by(() => {
    const best = this.report?.variations[0]
    if (!best || !this.side) return this.isBusy ? this.#previousChance : null
    const ownChance = best.proven > 0 ? 1 : best.proven < 0 ? 0 : best.score
    return this.side === 'w' ? ownChance : 1 - ownChance
  })

  /** Search another position. */
  follow(position: EnginePosition): void {
    this.#position = position
    this.#seconds = FIRST_SECONDS
    this.#begin()
  }

  deeper(): void {
    this.#seconds *= DEEPER_FACTOR
    this.#begin()
  }

  stop(): void {
    this.#search?.stop()
    this.#search = null
    this.isBusy = false
  }

  #begin(): void {
    this.#previousChance = this.chance
    this.stop()
    this.report = null
    this.error = ''
    const position = this.#position
    if (!this.isOn || !position || position.isOver) return
    const search = this.kernel.search(
      position,
      { seconds: this.#seconds, variations: this.variations, threat: this.threat },
      (report) => {
        if (search === this.#search) this.report = report
      },
    )
    this.#search = search
    this.isBusy = true
    search.result
      .then(
        (report) => {
          if (search === this.#search) this.report = report
        },
        (error: unknown) => {
          if (search === this.#search) this.error = errorWords(error)
        },
      )
      .finally(() => {
        if (search !== this.#search) return
        this.#search = null
        this.isBusy = false
      })
  }
}

function other(colour: Colour): Colour {
  return colour === 'w' ? 'b' : 'w'
}
