/** The review of a finished game: loads the game, evaluates it move by move, and stores the result with the game. */
import type { Reviews } from '../../api/gameSource'
import type { Colour, Game, Remark } from '../../api/model'
import { Shape } from '../../board/model/shape'
import { safeSessionStorage } from '../../browser/storage'
import { factsOf } from '../../coach/facts'
import { GameReviewer, MAX_NODES, NODES, positionsOf, type ReviewPosition } from '../../coach/gameReviewer.svelte'
import { evaluationBefore, type ReviewResult } from '../../coach/judgements'
import { analyseReviewedMove } from '../../coach/keyMoves.svelte'
import { clearReviewProgress, loadReviewProgress, type ReviewKey, saveReviewProgress } from '../../coach/reviewProgress'
import { factsWords } from '../../coach/words'
import { openGame } from '../../games/openGame'
import { seatName, ownColour } from '../../games/seats'
import { t } from '../../i18n/index.svelte'
import { openKernel } from '../../kernel/kernel'
import { kernelJudge } from '../../play/judge'
import type { Ticket } from '../../requests/latest'
import { settings } from '../../session/settings.svelte'
import { Study } from '../../study/study.svelte'
import { mainPath } from '../../study/tree'
import type { Announcer } from '../../ui/announcer.svelte'
import { errorWords } from '../../ui/errors'
import { annotateTree, gameTree } from './annotation'
import { judgementWords, remarkWords } from './words'

/** A review that was stored with the game. */
interface StoredReview {
  readonly result: ReviewResult
  readonly nodes: number
}

/** The game under review, and what is made for it. */
interface ReviewParts {
  readonly game: Game
  readonly moves: readonly string[]
  readonly positions: readonly ReviewPosition[]
  readonly study: Study
  readonly reviewer: GameReviewer
  readonly reviewKey: ReviewKey
  readonly shape: Shape
  /** The player's own colour; null if the player may choose one. */
  readonly ownColour: Colour | null
  /** Where the review is stored; null if the user did not play the game, and so may not store it. */
  readonly reviews: Reviews | null
  readonly stored: StoredReview | null
}

/** The game is still being played. */
export const NOT_OVER = Symbol('not over')

/** The number of nodes per position in the address; null if there is none. */
function nodesIn(query: URLSearchParams): number | null {
  const text = query.get('nodes') ?? ''
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(MAX_NODES, Number(text)) : null
}

/** The ply in the address; by default the end of the game. */
function plyIn(query: URLSearchParams, moveCount: number): number {
  const text = query.get('ply') ?? ''
  return /^\d{1,5}$/.test(text) ? Math.min(moveCount, Number(text)) : moveCount
}

/** Open a game, `game/ID` or `local/ID`, for its review; null if there is none, or the ticket is stale by then. */
export async function openReview(
  id: string,
  query: URLSearchParams,
  announcer: Announcer,
  ticket: Ticket,
): Promise<Review | typeof NOT_OVER | null> {
  const nodes = nodesIn(query)
  const [place, name = ''] = id.split('/')
  const [kernel, source] = await Promise.all([openKernel(), openGame(name, place === 'local', '/review')])
  if (!source) return null
  const { game, you } = source
  const result = (await source.reviews?.load()) ?? null
  if (ticket.stale) return null
  if (!game.outcome) return NOT_OVER
  const moves = game.turns.map(({ text }) => text)
  const [shape, positions] = await Promise.all([
    kernel.board().then((board) => new Shape(board)),
    positionsOf(kernel, game.start, moves),
  ])
  const ply = plyIn(query, moves.length)
  const view = await kernel.view(game.start, moves.slice(0, ply))
  if (ticket.stale) return null
  const tags = [
    ['White', seatName(game, 'w')],
    ['Black', seatName(game, 'b')],
  ] as const
  const tree = gameTree(game.start, game.turns, tags)
  const reviewKey = { game: id, turns: moves, nodes: nodes ?? NODES }
  const progress = loadReviewProgress(safeSessionStorage, reviewKey)
  const setup = { shape, view, options: () => settings, judge: kernelJudge(kernel), announcer }
  return new Review({
    game,
    moves,
    positions,
    shape,
    reviewKey,
    ownColour: ownColour(game, you),
    study: new Study(setup, { tree, path: mainPath(ply) }),
    reviewer: new GameReviewer(kernel, moves, positions, reviewKey.nodes, progress),
    reviews: you === null || you.seats.length > 0 || you.owner ? source.reviews : null,
    // A stored review is shown, unless the address asks for more nodes than it has.
    stored: result && result.nodes >= (nodes ?? 0) ? { result, nodes: result.nodes } : null,
  })
}

export class Review {
  /** Why the review is not finished, or not stored. */
  error = $state('')
  /** The coach's words about severe mistakes that were shown, by ply. */
  coachWords: Readonly<Record<number, string>> = $state.raw({})
  #isClosed = false

  constructor(readonly parts: ReviewParts) {}

  /** The result, as far as the review has come. */
  get result(): ReviewResult | null {
    return this.parts.stored?.result ?? this.parts.reviewer.review
  }

  get isFinished(): boolean {
    return this.parts.stored !== null || this.parts.reviewer.isFinished
  }

  get nodes(): number {
    return this.parts.stored?.nodes ?? this.parts.reviewer.nodes
  }

  /** Show the stored review, or start one. */
  start(): void {
    if (this.parts.stored) this.#annotate()
    else void this.run()
  }

  close(): void {
    this.#isClosed = true
    this.parts.reviewer.stop()
  }

  /** Evaluate the positions that are left, and store the result. */
  async run(): Promise<void> {
    const { reviewer, reviewKey } = this.parts
    try {
      const isComplete = await reviewer.run((evaluations) =>
        saveReviewProgress(safeSessionStorage, reviewKey, evaluations),
      )
      if (!isComplete || this.#isClosed) return
      this.#annotate()
      await this.save()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Show an error, unless the review was closed. */
  fail(error: unknown): void {
    if (!this.#isClosed) this.error = errorWords(error)
  }

  #annotate(): void {
    const { result } = this
    if (!result) return
    const words = (remark: Remark): string => {
      const judgement = remark.judgement ? judgementWords(remark.judgement) : ''
      return `${judgement}. ${remarkWords(remark, evaluationBefore(result, remark.ply))}`
    }
    this.parts.study.amend((tree) => annotateTree(tree, result.turns, words))
  }

  /** Store the review with the game, so that it opens at once next time. */
  async save(): Promise<void> {
    const { reviews, reviewer, reviewKey } = this.parts
    const result = reviewer.review
    if (!reviews || !result) return
    try {
      await reviews.save(reviewKey.nodes, result)
      clearReviewProgress(safeSessionStorage, reviewKey.game)
      if (!this.#isClosed) this.error = ''
    } catch (error) {
      if (!this.#isClosed) this.error = `${t('review.not_kept')} ${errorWords(error)}`
    }
  }

  /** Have the coach explain a mistake, once. */
  async explain(ply: number): Promise<void> {
    const { game, moves, shape } = this.parts
    const { result } = this
    if (!result || ply in this.coachWords) return
    this.coachWords = { ...this.coachWords, [ply]: '' }
    try {
      // A kernel of its own: a step to another move does not interrupt the explanation.
      const analysis = await analyseReviewedMove(
        await openKernel(),
        { start: game.start, turns: moves },
        result,
        ply,
        NODES,
      )
      // The remark says already how the chances fell, or that a win was missed.
      const [first, ...rest] = factsOf(shape, analysis)
      const isInRemark = first?.fact === 'falls' || first?.fact === 'could_force'
      const facts = isInRemark ? rest : [first, ...rest].filter((fact) => fact !== undefined)
      if (facts.length) this.coachWords = { ...this.coachWords, [ply]: factsWords(facts) }
    } catch {
      // The remark is shown without it.
    }
  }
}
