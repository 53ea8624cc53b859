/** A game that is over: its moments worth a look, found in the background, at most three of them. */
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

/** As many as somebody remembers. */
export const MAX_KEY_MOVES = 3
/** So many candidates are looked at from closer by: some of them turn out not to be worth it. */
const CANDIDATES = 2 * MAX_KEY_MOVES
/** A turn that gave away less is not worth a look. */
export const MIN_GIVEN_AWAY = scale.judgements.mistake.given_away

/** A turn of the player's that mattered. */
export interface KeyMove {
  /** Turns before it. */
  readonly ply: number
  readonly turn: string
  /** What could have been played. */
  readonly better: string
  readonly facts: readonly Fact[]
}

/** The turns of a player that gave away the most, the worst first. */
export function candidates({ turns }: ReviewResult, colour: Colour): Remark[] {
  return turns
    .filter((turn) => turn.colour === colour && turn.judgement && turn.given_away >= MIN_GIVEN_AWAY)
    .sort((one, another) => another.given_away - one.given_away)
    .slice(0, CANDIDATES)
}

/** A turn of a reviewed game with everything about it. */
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

/** The moments worth a look, in the order of the game. */
export async function findKeyMoves(
  kernel: Kernel,
  shape: Shape,
  game: Task,
  review: ReviewResult,
  colour: Colour,
  nodes: number,
  wanted: () => boolean = () => true,
): Promise<KeyMove[]> {
  const found: KeyMove[] = []
  for (const { ply, turn, best } of candidates(review, colour)) {
    if (found.length === MAX_KEY_MOVES || !wanted()) break
    // A chance that was missed again and again is told once.
    if (found.some(({ better }) => better === best[0])) continue
    const about = await analyseReviewedMove(kernel, game, review, ply, nodes)
    // As before a question: what turns out to have been lost anyway, or not to have been there, is not worth a look.
    if (isLostAnyway(about) || givenAway(about) < MIN_GIVEN_AWAY) continue
    found.push({ ply, turn, better: best[0] ?? '', facts: factsOf(shape, about) })
  }
  return found.sort((one, another) => one.ply - another.ply)
}

/** What is looked back at. */
export interface FinishedGame extends Task {
  /** Who keeps it, and its id there: as in its address. */
  readonly id: string
  readonly colour: Colour
  /** Where its review is kept; null where it may not be. */
  readonly reviews: Reviews | null
}

export class KeyMoveFinder {
  /** Null until all is known. */
  found: readonly KeyMove[] | null = $state.raw(null)
  /** Which of them is on the board. */
  chosen: KeyMove | null = $state.raw(null)
  trouble = $state('')
  #reviewer: GameReviewer | null = $state.raw(null)
  #closed = false

  constructor(
    readonly kernel: Kernel,
    readonly shape: Shape,
    readonly game: FinishedGame,
    readonly nodes = NODES,
  ) {
    void this.#run()
  }

  /** How many positions were looked at, and how many there are. */
  readonly progress = $derived.by(() => ({
    n: this.#reviewer?.evaluations.length ?? 0,
    all: this.game.turns.length + 1,
  }))

  close(): void {
    this.#closed = true
    this.#reviewer?.stop()
  }

  async #run(): Promise<void> {
    try {
      const review = await this.#review()
      if (!review || this.#closed) return
      const wanted = (): boolean => !this.#closed
      const found = await findKeyMoves(this.kernel, this.shape, this.game, review, this.game.colour, this.nodes, wanted)
      if (wanted()) this.found = found
    } catch (error) {
      if (!this.#closed) this.trouble = errorWords(error)
    }
  }

  /** The review of the game: kept from before, or made now and kept, so that its page opens at once. */
  async #review(): Promise<ReviewResult | null> {
    const { id, start, turns, reviews } = this.game
    const kept = await reviews?.load().catch(() => null)
    if (kept && kept.nodes >= this.nodes) return kept
    const reviewKey = { game: id, turns, nodes: this.nodes }
    const positions = await positionsOf(this.kernel, start, turns)
    if (this.#closed) return null
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
    // If it cannot be kept, this window still has what was looked at.
    if (review) {
      await reviews?.save(this.nodes, review).then(
        () => clearReviewProgress(safeSessionStorage, id),
        () => undefined,
      )
    }
    return review
  }
}
