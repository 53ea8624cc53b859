/** Finds the key moves of a finished game in the background, at most three. */
import scale from '../../../src/punct/analysis/scale.json'
import type { Reviews } from '../api/gameSource'
import type { Colour, Remark } from '../api/model'
import type { Shape } from '../board/model/shape'
import { safeSessionStorage } from '../browser/storage'
import type { Kernel, Task } from '../kernel/kernel'
import { errorWords } from '../ui/errors'
import { givenAway, isLostAnyway } from './advisor'
import { type Fact, factsOf } from './facts'
import { GameReviewer, NODES, positionsOf } from './gameReviewer.svelte'
import { evaluationBefore, type ReviewResult } from './judgements'
import { analyseMove, evaluator, inspect, type MoveAnalysis } from './moveAnalysis'
import { clearReviewProgress, loadReviewProgress, saveReviewProgress } from './reviewProgress'

/** As many as players remember. */
export const MAX_KEY_MOVES = 3
/** So many candidates are analysed: some of them turn out not to matter. */
const MAX_CANDIDATES = 2 * MAX_KEY_MOVES
/** A move that gave away less is no key move. */
export const MIN_GIVEN_AWAY = scale.judgements.mistake.given_away

/** A move of the player's that mattered. */
export interface KeyMove {
  /** The number of moves before it. */
  readonly ply: number
  readonly turn: string
  /** The better move. */
  readonly better: string
  readonly facts: readonly Fact[]
}

/** The moves of a player that gave away the most, the worst first. */
export function candidates({ turns }: ReviewResult, colour: Colour): Remark[] {
  return turns
    .filter((turn) => turn.colour === colour && turn.judgement && turn.given_away >= MIN_GIVEN_AWAY)
    .sort((one, another) => another.given_away - one.given_away)
    .slice(0, MAX_CANDIDATES)
}

/** The full analysis of a move of a reviewed game. */
export async function analyseReviewedMove(
  kernel: Kernel,
  { start, turns }: Task,
  review: ReviewResult,
  ply: number,
  nodes: number,
): Promise<MoveAnalysis> {
  const [before, after] = await Promise.all([
    inspect(kernel, start, ...turns.slice(0, ply)),
    inspect(kernel, start, ...turns.slice(0, ply + 1)),
  ])
  return analyseMove(kernel, before, after, evaluationBefore(review, ply), evaluator(kernel, nodes))
}

/** The key moves, in the order of the game. */
async function findKeyMoves(
  kernel: Kernel,
  shape: Shape,
  game: Task,
  review: ReviewResult,
  colour: Colour,
  nodes: number,
  isWanted: () => boolean = () => true,
): Promise<KeyMove[]> {
  const keyMoves: KeyMove[] = []
  for (const { ply, turn, best } of candidates(review, colour)) {
    if (keyMoves.length === MAX_KEY_MOVES || !isWanted()) break
    // A chance that was missed again and again is mentioned once.
    if (keyMoves.some(({ better }) => better === best[0])) continue
    const analysis = await analyseReviewedMove(kernel, game, review, ply, nodes)
    // As before a question: what was lost anyway, or not there after all, does not matter.
    if (isLostAnyway(analysis) || givenAway(analysis) < MIN_GIVEN_AWAY) continue
    keyMoves.push({ ply, turn, better: best[0] ?? '', facts: factsOf(shape, analysis) })
  }
  return keyMoves.sort((one, another) => one.ply - another.ply)
}

/** The game to review. */
export interface FinishedGame extends Task {
  /** Where it is stored, and its id: as in its path. */
  readonly id: string
  readonly colour: Colour
  /** Where its review is stored; null where it may not be. */
  readonly reviews: Reviews | null
}

export class KeyMoveFinder {
  /** Null until all are known. */
  keyMoves: readonly KeyMove[] | null = $state.raw(null)
  /** The key move that is shown. */
  selected: KeyMove | null = $state.raw(null)
  error = $state('')
  #reviewer: GameReviewer | null = $state.raw(null)
  #isClosed = false

  constructor(
    readonly kernel: Kernel,
    readonly shape: Shape,
    readonly game: FinishedGame,
    readonly nodes = NODES,
  ) {
    void this.#run()
  }

  /** The number of evaluated positions, and of all. */
  readonly progress = $derived.by(() => ({
    n: this.#reviewer?.evaluations.length ?? 0,
    all: this.game.turns.length + 1,
  }))

  close(): void {
    this.#isClosed = true
    this.#reviewer?.stop()
  }

  async #run(): Promise<void> {
    try {
      const review = await this.#review()
      if (!review || this.#isClosed) return
      const isWanted = (): boolean => !this.#isClosed
      const keyMoves = await findKeyMoves(
        this.kernel,
        this.shape,
        this.game,
        review,
        this.game.colour,
        this.nodes,
        isWanted,
      )
      if (isWanted()) this.keyMoves = keyMoves
    } catch (error) {
      if (!this.#isClosed) this.error = errorWords(error)
    }
  }

  /** The review of the game: stored before, or made now and stored, so that its page opens at once. */
  async #review(): Promise<ReviewResult | null> {
    const { id, start, turns, reviews } = this.game
    const stored = await reviews?.load().catch(() => null)
    if (stored && stored.nodes >= this.nodes) return stored
    const reviewKey = { game: id, turns, nodes: this.nodes }
    const positions = await positionsOf(this.kernel, start, turns)
    if (this.#isClosed) return null
    const reviewer = new GameReviewer(
      this.kernel,
      turns,
      positions,
      this.nodes,
      loadReviewProgress(safeSessionStorage, reviewKey),
    )
    this.#reviewer = reviewer
    if (!(await reviewer.run((evaluations) => saveReviewProgress(safeSessionStorage, reviewKey, evaluations))))
      return null
    const { review } = reviewer
    // If it cannot be stored, this window still has the evaluations.
    if (review) {
      await reviews?.save(this.nodes, review).then(
        () => clearReviewProgress(safeSessionStorage, id),
        () => undefined,
      )
    }
    return review
  }
}
