/**
 * The coach beside one game: looks on while its player thinks, asks before a turn that gives much away, shows why, and
 * afterwards finds the moments worth a look. Whatever goes wrong here, the game goes on.
 */
import type { PositionView } from '../api/model'
import { readMove } from '../board/model/moves'
import type { Shape } from '../board/model/shape'
import { type Threat, threatOf } from '../board/model/threats'
import type { Suggestion } from '../board/view/Suggestions.svelte'
import { other, positionWords } from '../board/view/words'
import type { Kernel } from '../kernel/kernel'
import { Latest } from '../requests/latest'
import type { Announcer } from '../ui/announcer.svelte'
import { type Advice, Advisor, NODES } from './advisor'
import { evaluator } from './moveAnalysis'
import { variationPositions, variationStart } from './variation'
import { questionWords, reasonWords } from './words'

/** A question that waits for an answer. */
export interface CoachQuestion {
  readonly advice: Advice
  readonly words: string
  /** Play the turn, or take it back. */
  answer(play: boolean): void
}

/** An owner of searches each: neither ends the other's. */
export interface Kernels {
  readonly asks: Kernel
  readonly shows: Kernel
}

export class Coach {
  asked: CoachQuestion | null = $state.raw(null)
  /** A turn is being looked at. */
  busy = $state(false)
  /** What is shown of the reasons: a line of positions, and which of them. */
  line: readonly PositionView[] = $state.raw([])
  step = $state(0)
  readonly #advisor: Advisor
  readonly #asks = new Latest()

  /** `announcer` is heard by those who do not see the board. */
  constructor(
    readonly kernels: Kernels,
    shape: Shape,
    readonly announcer: Announcer,
    advisor = new Advisor(kernels.asks, shape),
  ) {
    this.#advisor = advisor
  }

  /** The position on the board while reasons are shown; null otherwise. */
  readonly shown: PositionView | null = $derived.by(() => this.line[this.step] ?? null)

  /** The reasons in words; by how much the chances would fall was in the question. */
  readonly why: string = $derived.by(() => {
    if (!this.asked || !this.line.length) return ''
    return reasonWords(this.asked.advice.facts.filter(({ fact }) => fact !== 'falls'))
  })

  /** The connection that is spoken of: the opponent's after the turn, one's own where it was missed. */
  readonly threat: Threat | null = $derived.by(() => {
    if (!this.asked || !this.shown || this.shown.outcome) return null
    const { grave, about } = this.asked.advice
    const missed = grave.fact.startsWith('could_')
    return threatOf(this.shown, missed ? about.colour : other(about.colour), missed)
  })

  /** The turn that comes next in the line. */
  readonly next: readonly Suggestion[] = $derived.by(() => {
    const text = this.line[this.step + 1]?.last?.text
    const turn = text && this.shown ? readMove(text, this.shown) : undefined
    const theirs = this.shown?.turn !== this.asked?.advice.about.colour
    return turn ? [{ ...turn, rank: 0, threat: theirs }] : []
  })

  /** Look on: somebody is to play here. */
  watch({ text }: PositionView): void {
    this.#advisor.prepare(text)
  }

  /** Whether a turn is to be played: that is asked, if it deserves it. */
  async allows({ text }: PositionView, turn: string): Promise<boolean> {
    this.drop()
    const ask = this.#asks.begin()
    this.busy = true
    const advice = await this.#advisor.judge(text, turn)
    // The game went on elsewhere: this turn is for another position.
    if (ask.stale) return false
    this.busy = false
    if (!advice) return true
    return new Promise((resolve) => {
      const answer = (play: boolean): void => {
        if (ask.stale) return
        this.#asks.invalidate()
        this.#clear()
        resolve(play)
      }
      this.asked = {
        advice,
        // In whichever language is spoken when it is read.
        get words() {
          return questionWords(advice.grave)
        },
        answer,
      }
    })
  }

  /** Show why: on the board, step by step, and in words. */
  async explain(): Promise<void> {
    const { asked } = this
    const { shows } = this.kernels
    if (!asked || this.line.length) return
    this.step = 0
    this.line = [variationStart(asked.advice).view]
    this.announcer.say(this.why)
    try {
      const line = await variationPositions(shows, asked.advice, evaluator(shows, NODES))
      if (this.asked === asked) this.line = line
    } catch {
      // What is seen already is shown.
    }
  }

  /** Step through the line. */
  go(by: 1 | -1): void {
    const step = Math.max(0, Math.min(this.line.length - 1, this.step + by))
    if (step === this.step) return
    this.step = step
    if (this.shown) this.announcer.say(positionWords(this.shown))
  }

  /** The position has changed, or nobody wants an answer any more: the turn is not played. */
  drop(): void {
    const asked = this.asked
    if (asked) return asked.answer(false)
    this.#asks.invalidate()
    this.busy = false
  }

  close(): void {
    this.drop()
    this.#advisor.stop()
  }

  #clear(): void {
    this.asked = null
    this.busy = false
    this.line = []
    this.step = 0
  }
}
