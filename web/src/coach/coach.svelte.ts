/**
 * The coach of one game: prepares while its player thinks, asks before a move that gives much away, shows why, and
 * afterwards finds the key moves. Whatever goes wrong here, the game goes on.
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
  /** Play the move, or take it back. */
  answer(shouldPlay: boolean): void
}

/** One kernel for questions, one for variations: neither ends the other's search. */
export interface Kernels {
  readonly questions: Kernel
  readonly variations: Kernel
}

export class Coach {
  question: CoachQuestion | null = $state.raw(null)
  /** Whether a move is being analysed. */
  isBusy = $state(false)
  /** The variation that shows the reasons: its positions, and the index of the one shown. */
  variation: readonly PositionView[] = $state.raw([])
  step = $state(0)
  readonly #advisor: Advisor
  readonly #requests = new Latest()

  /** `announcer` speaks to those who do not see the board. */
  constructor(
    readonly kernels: Kernels,
    shape: Shape,
    readonly announcer: Announcer,
    advisor = new Advisor(kernels.questions, shape),
  ) {
    this.#advisor = advisor
  }

  /** The position on the board while reasons are shown; null otherwise. */
  readonly shownPosition: PositionView | null = $derived.by(() => this.variation[this.step] ?? null)

  /** The reasons in words, without the fall of the chances, which the question states. */
  readonly reasons: string = $derived.by(() => {
    if (!this.question || !this.variation.length) return ''
    return reasonWords(this.question.advice.facts.filter(({ fact }) => fact !== 'falls'))
  })

  /** The connection in question: the opponent's after the move, one's own where it was missed. */
  readonly threat: Threat | null = $derived.by(() => {
    if (!this.question || !this.shownPosition || this.shownPosition.outcome) return null
    const { severeFact: grave, analysis: about } = this.question.advice
    const isMissed = grave.fact.startsWith('could_')
    return threatOf(this.shownPosition, isMissed ? about.colour : other(about.colour), isMissed)
  })

  /** The next move of the variation. */
  readonly nextMoves: readonly Suggestion[] = $derived.by(() => {
    const text = this.variation[this.step + 1]?.last?.text
    const move = text && this.shownPosition ? readMove(text, this.shownPosition) : undefined
    const isOpponents = this.shownPosition?.turn !== this.question?.advice.analysis.colour
    return move ? [{ ...move, rank: 0, threat: isOpponents }] : []
  })

  /** Prepare for a move of the player to move. */
  prepare({ text }: PositionView): void {
    this.#advisor.prepare(text)
  }

  /** Whether a move is to be played: the player is asked, if it deserves a question. */
  async confirmMove({ text }: PositionView, move: string): Promise<boolean> {
    this.withdraw()
    const ticket = this.#requests.begin()
    this.isBusy = true
    const advice = await this.#advisor.judge(text, move)
    // The game went on elsewhere: this move is for another position.
    if (ticket.stale) return false
    this.isBusy = false
    if (!advice) return true
    return new Promise((resolve) => {
      const answer = (shouldPlay: boolean): void => {
        if (ticket.stale) return
        this.#requests.invalidate()
        this.#clear()
        resolve(shouldPlay)
      }
      this.question = {
        advice,
        // In the language of the moment when it is read.
        get words() {
          return questionWords(advice.severeFact)
        },
        answer,
      }
    })
  }

  /** Show the reasons: on the board, step by step, and in words. */
  async explain(): Promise<void> {
    const { question } = this
    const { variations: kernel } = this.kernels
    if (!question || this.variation.length) return
    this.step = 0
    this.variation = [variationStart(question.advice).view]
    this.announcer.say(this.reasons)
    try {
      const positions = await variationPositions(kernel, question.advice, evaluator(kernel, NODES))
      if (this.question === question) this.variation = positions
    } catch {
      // The first position stays.
    }
  }

  /** Step through the variation. */
  stepBy(by: 1 | -1): void {
    const step = Math.max(0, Math.min(this.variation.length - 1, this.step + by))
    if (step === this.step) return
    this.step = step
    if (this.shownPosition) this.announcer.say(positionWords(this.shownPosition))
  }

  /** Withdraw the question: the position has changed, or the move was withdrawn. The move is not played. */
  withdraw(): void {
    const question = this.question
    if (question) return question.answer(false)
    this.#requests.invalidate()
    this.isBusy = false
  }

  close(): void {
    this.withdraw()
    this.#advisor.stop()
  }

  #clear(): void {
    this.question = null
    this.isBusy = false
    this.variation = []
    this.step = 0
  }
}
