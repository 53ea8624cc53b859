/** The engine beside the board: thinks about the moment that is looked at, as long as it is on. */
import type { Colour } from '../../api/model'
import type { Kernel, Report, Search } from '../../kernel/kernel'
import { errorWords } from '../../ui/errors'

/** Seconds it thinks about one moment, before it is told to go deeper. */
const FIRST = 10
/** Each time it is told to, so many times longer. */
const DEEPER = 4
export const MAX_VARIATIONS = 5

/** What is thought about. */
export interface EnginePosition {
  readonly start: string
  readonly turns: readonly string[]
  /** Whose turn it is. */
  readonly turn: Colour
  /** Nothing more can be played. */
  readonly over: boolean
}

export class Engine {
  on = $state(false)
  variations = $state(3)
  /** Think as if it were the other's turn. */
  threat = $state(false)
  report: Report | null = $state.raw(null)
  busy = $state(false)
  /** Why it does not think. */
  trouble = $state('')
  /** What was known of the moment before: shown until something is known of this one, so that nothing flickers. */
  #before: number | null = $state(null)
  #search: Search | null = null
  #moment: EnginePosition | null = null
  #seconds = FIRST

  constructor(readonly kernel: Kernel) {}

  /** Whose chances are told: the side to move, or the other one if its threats are looked for. */
  get side(): Colour | null {
    if (!this.#moment) return null
    return this.threat ? other(this.#moment.turn) : this.#moment.turn
  }

  /** White's chance of winning, 0 to 1; null while nothing is known. */
  readonly chance: number | null = $derived.by(() => {
    const best = this.report?.variations[0]
    if (!best || !this.side) return this.busy ? this.#before : null
    const own = best.proven > 0 ? 1 : best.proven < 0 ? 0 : best.score
    return this.side === 'w' ? own : 1 - own
  })

  /** Think about another moment. */
  follow(moment: EnginePosition): void {
    this.#moment = moment
    this.#seconds = FIRST
    this.#begin()
  }

  deeper(): void {
    this.#seconds *= DEEPER
    this.#begin()
  }

  stop(): void {
    this.#search?.stop()
    this.#search = null
    this.busy = false
  }

  #begin(): void {
    this.#before = this.chance
    this.stop()
    this.report = null
    this.trouble = ''
    const moment = this.#moment
    if (!this.on || !moment || moment.over) return
    const search = this.kernel.search(
      moment,
      { seconds: this.#seconds, variations: this.variations, threat: this.threat },
      (report) => {
        if (search === this.#search) this.report = report
      },
    )
    this.#search = search
    this.busy = true
    search.result
      .then(
        (report) => {
          if (search === this.#search) this.report = report
        },
        (error: unknown) => {
          if (search === this.#search) this.trouble = errorWords(error)
        },
      )
      .finally(() => {
        if (search !== this.#search) return
        this.#search = null
        this.busy = false
      })
  }
}

function other(colour: Colour): Colour {
  return colour === 'w' ? 'b' : 'w'
}
