/** The state of the review page: the review that is open, the position looked at, and the practice on mistakes. */
import type { Colour, Remark } from '../../api/model'
import { readMove } from '../../board/model/moves'
import { badMoves, chanceOf, curveOf, SEVERE_JUDGEMENTS } from '../../coach/judgements'
import { t } from '../../i18n/index.svelte'
import type { MoveBoard } from '../../play/moveBoard.svelte'
import { Latest } from '../../requests/latest'
import { settings } from '../../session/settings.svelte'
import { type LoadError, toLoadError } from '../../study/loadError'
import { isMain, mainPath, mainPly } from '../../study/tree'
import type { Announcer } from '../../ui/announcer.svelte'
import { betterPath } from './annotation'
import { MistakePractice } from './mistakePractice.svelte'
import { NOT_OVER, openReview, type Review } from './review.svelte'

export class ReviewController {
  review: Review | null = $state.raw(null)
  /** Why no review is shown. */
  loadError: LoadError | null = $state.raw(null)
  practice: MistakePractice | null = $state.raw(null)
  /** The colour whose mistakes are practised. */
  practiceColour: Colour = $state('w')
  /** The review that is being opened: the newest alone is shown. */
  readonly #openRequests = new Latest()

  constructor(readonly announcer: Announcer) {}

  /** Open the review of a game, `game/ID` or `local/ID`, with the options of the address. */
  async open(id: string, query: URLSearchParams): Promise<void> {
    const ticket = this.#openRequests.begin()
    try {
      const review = await openReview(id, query, this.announcer, ticket)
      if (ticket.stale || !review) return
      if (review === NOT_OVER) {
        this.loadError = { words: t('review.not_over'), fault: '' }
        return
      }
      this.review = review
      this.practiceColour = review.parts.ownColour ?? 'w'
      this.loadError = null
      review.start()
    } catch (error) {
      if (!ticket.stale) this.loadError = toLoadError(error)
    }
  }

  close(): void {
    this.#openRequests.invalidate()
    this.review?.close()
    this.review = null
    this.practice = null
  }

  /** The ply of the game on the board, or the one where the variation on the board branches off. */
  readonly ply: number = $derived.by(() => (this.review ? mainPly(this.review.parts.study.path) : 0))
  /** Whether the position on the board is one of the game. */
  readonly isInGame: boolean = $derived.by(() => (this.review ? isMain(this.review.parts.study.path) : true))

  /** The result of a finished review. */
  readonly #finalResult = $derived.by(() => (this.review?.isFinished ? this.review.result : null))
  readonly badMoves: readonly Remark[] = $derived.by(() => (this.#finalResult ? badMoves(this.#finalResult) : []))
  /** How many mistakes there are to practise. */
  readonly practiceCount: number = $derived.by(() =>
    this.#finalResult ? badMoves(this.#finalResult, this.practiceColour).length : 0,
  )

  /** The remark on the move that led to the position on the board, if that is one of the game. */
  readonly remark: Remark | undefined = $derived.by(() =>
    this.isInGame ? this.review?.result?.turns[this.ply - 1] : undefined,
  )

  /** The remark, if the move is a severe mistake, which the coach explains. */
  readonly severeRemark: Remark | null = $derived.by(() => {
    const { remark } = this
    const isSevere = this.#finalResult && remark?.judgement && SEVERE_JUDGEMENTS.includes(remark.judgement)
    return isSevere ? remark : null
  })

  readonly board: MoveBoard | null = $derived.by(() => this.practice?.board ?? this.review?.parts.study.board ?? null)

  readonly #curve = $derived.by(() => (this.review?.result ? curveOf(this.review.result) : []))

  /** White's chances on the board; null where they are not known. */
  readonly chance: number | null = $derived.by(() => {
    if (this.practice) return chanceOf(this.practice.mistake.colour, this.practice.evaluation.chance)
    return (this.isInGame ? this.#curve[this.ply] : null) ?? null
  })

  /** The move drawn as a ghost: the better one before a mistake; in practice the reply to a bad try. */
  readonly suggestions = $derived.by(() => {
    const text = this.practice ? this.#refutation(this.practice) : this.#betterMove
    const move = this.board && text ? readMove(text, this.board.view) : undefined
    return move ? [{ ...move, rank: 0 }] : []
  })

  get #betterMove(): string | undefined {
    const remark = this.isInGame ? this.#finalResult?.turns[this.ply] : undefined
    return remark?.judgement ? remark.best[0] : undefined
  }

  #refutation({ stage, verdict }: MistakePractice): string | undefined {
    return stage === 'tried' && !verdict?.good ? verdict?.answer[0] : undefined
  }

  moveToPly(ply: number): void {
    void this.review?.parts.study.moveTo(mainPath(ply))
  }

  /** Show the first move of the better variation, with the rest to step through. */
  showBetter(remark: Remark): void {
    const study = this.review?.parts.study
    if (!study) return
    const path = betterPath(study.tree, remark)
    void (path ? study.moveTo(path) : study.playAll(remark.best.slice(0, 1), mainPath(remark.ply)))
  }

  /** Move to the next bad move after the position on the board, or to the previous one; wraps around. */
  jumpToBadMove(by: 1 | -1): void {
    const plies = this.badMoves.map(({ ply }) => ply + 1)
    const nearest = by > 0 ? plies.find((ply) => ply > this.ply) : plies.findLast((ply) => ply < this.ply)
    const target = nearest ?? (by > 0 ? plies[0] : plies.at(-1))
    if (target !== undefined) this.moveToPly(target)
  }

  async startPractice(): Promise<void> {
    const { review, announcer } = this
    if (!review?.result) return
    try {
      const { game, moves, shape, reviewer } = review.parts
      const { result, nodes } = review
      const source = { kernel: reviewer.kernel, game: { start: game.start, turns: moves }, review: result, nodes }
      const setup = { shape, options: () => settings, announcer }
      const practice = await MistakePractice.of(source, this.practiceColour, setup)
      if (review === this.review) this.practice = practice
    } catch (error) {
      review.fail(error)
    }
  }

  /** Return to the game, at the mistake that was practised. */
  leavePractice(): void {
    const ply = this.practice?.mistake.ply ?? 0
    this.practice = null
    this.moveToPly(ply)
  }
}
