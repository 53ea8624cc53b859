/**
 * Decides whether a move deserves a question before it is played, and which. A coach who speaks too often is switched
 * off, and one who is wrong is not trusted: so every doubt means silence, and so does every delay.
 */
import scale from '../../../src/punct/analysis/scale.json'
import type { PositionView } from '../api/model'
import type { Shape } from '../board/model/shape'
import type { Kernel, Search } from '../kernel/kernel'
import { type Fact, factsOf, type SevereFact, severeFacts } from './facts'
import { type Evaluation, evaluationOf, MAX_VARIATION } from './judgements'
import {
  analyseBetter,
  analyseMove,
  type Evaluate,
  evaluator,
  inspect,
  type InspectedPosition,
  type MoveAnalysis,
} from './moveAnalysis'

/** For each position: tenths of a second on a phone. All get the same, or their scores could not be compared. */
export const NODES = 1500
/** The player waits at most so many milliseconds for the coach; then the move is simply played. */
const MAX_WAIT_MS = 1500
/** What a blunder gives away, by the review's own scale: coach and review call the same moves bad. */
export const BLUNDER_GIVEN_AWAY = scale.judgements.blunder.given_away
/** A win is mentioned if it can be shown to its end: with at most so many moves of a side. */
export const MAX_WIN_MOVES = Math.ceil(MAX_VARIATION / 2)

/** A question about a move, with its reasons. */
export interface Advice {
  readonly analysis: MoveAnalysis
  /** The fact that the question is about. */
  readonly severeFact: SevereFact
  /** The reasons given on request, the same first. */
  readonly facts: readonly Fact[]
}

/** Whether the game was lost before the move, as far as is known: then no move deserves a question. */
export function isLostAnyway({ evaluationBefore, better }: Pick<MoveAnalysis, 'evaluationBefore' | 'better'>): boolean {
  // The best known move loses as well. (Searched deeper, a position may turn out worse than it seemed.)
  return evaluationBefore.proven < 0 || (better !== null && better.evaluation.proven > 0)
}

/**
 * How much of the player's winning chances a move gave away, at the least; 0 where that is not known. Two estimates: of
 * the position itself, and of the position after its best move. Only what is lost by both counts, as the first alone
 * may be an illusion; the second compares like with like. (What is proven needs no second estimate.)
 */
export function givenAway({ evaluationBefore, evaluationAfter, better }: MoveAnalysis): number {
  if (!evaluationAfter || !better) return 0
  const chanceBefore =
    evaluationBefore.proven > 0
      ? evaluationBefore.chance
      : Math.min(evaluationBefore.chance, 1 - better.evaluation.chance)
  return chanceBefore - (1 - evaluationAfter.chance)
}

/** Losing at once, or missing a win at once: seen on the board, without any search. */
const IMMEDIATE_FACTS: readonly Fact['fact'][] = [
  'uncovers',
  'behind',
  'connects',
  'counts',
  'could_connect',
  'could_count',
]

/** The fact to ask about; null where nothing is worth a question. */
export function concernOf(analysis: MoveAnalysis): SevereFact | null {
  const [first] = severeFacts(analysis)
  if (!first || analysis.move === analysis.evaluationBefore.best[0]) return null
  if (first.fact === 'could_connect' || first.fact === 'could_count') return first
  if (isLostAnyway(analysis)) return null
  if (IMMEDIATE_FACTS.includes(first.fact)) return first
  if ('n' in first && first.n > MAX_WIN_MOVES) return null
  return givenAway(analysis) >= BLUNDER_GIVEN_AWAY ? first : null
}

/** Evaluations that run while the player thinks. */
interface PendingEvaluations {
  readonly text: string
  readonly before: Promise<InspectedPosition>
  readonly evaluationBefore: Promise<Evaluation>
  readonly better: Promise<MoveAnalysis['better']>
}

/** A timeout that can be cancelled. */
export function startTimeout(milliseconds = MAX_WAIT_MS): { readonly expired: Promise<null>; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), milliseconds)))
  return { expired, stop: () => clearTimeout(timer) }
}

export class Advisor {
  #pending: PendingEvaluations | null = null
  #search: Search | null = null
  /** Grows with every stop: results of earlier searches are stale. */
  #stopCount = 0

  /** `kernel` is the coach's own: nobody else searches with it. */
  constructor(
    readonly kernel: Kernel,
    readonly shape: Shape,
    readonly wait = startTimeout,
    readonly nodes = NODES,
  ) {}

  /** Begin to evaluate a position while its player thinks. */
  prepare(text: string): void {
    if (this.#pending?.text === text) return
    this.stop()
    const evaluatePosition = this.#evaluator()
    const before = inspect(this.kernel, text)
    const evaluationBefore = before.then(async ({ view }) => evaluationOf(await evaluatePosition(view)))
    const better = Promise.all([before, evaluationBefore]).then(async ([{ view }, { best }]) =>
      best[0] ? analyseBetter(this.kernel, view, best[0], evaluatePosition) : null,
    )
    // Errors are handled where the results are used; if they are not used, they do not matter.
    for (const promise of [before, evaluationBefore, better]) promise.catch(() => undefined)
    this.#pending = { text, before, evaluationBefore, better }
  }

  /** The question about a move; null if there is none, or if it is not known in time. */
  async judge(text: string, move: string): Promise<Advice | null> {
    this.prepare(text)
    const pending = this.#pending
    if (!pending) return null
    const timeout = this.wait()
    try {
      const [before, after] = await Promise.all([pending.before, inspect(this.kernel, text, move)])
      const fullAnalysis = await Promise.race([this.#analyse(pending, before, after), timeout.expired])
      // The engine that plays now shall have the worker to itself.
      if (!fullAnalysis) this.stop()
      const analysis = fullAnalysis ?? quickAnalysis(before, after)
      const severeFact = concernOf(analysis)
      return severeFact && { analysis, severeFact, facts: factsOf(this.shape, analysis) }
    } catch {
      // No kernel, or one that broke down: the game goes on without a coach.
      return null
    } finally {
      timeout.stop()
    }
  }

  /** Stop searching; results so far are dropped. */
  stop(): void {
    this.#stopCount += 1
    this.#search?.stop()
    this.#search = null
    this.#pending = null
  }

  async #analyse(
    pending: PendingEvaluations,
    before: InspectedPosition,
    after: InspectedPosition,
  ): Promise<MoveAnalysis> {
    const [evaluationBefore, better] = [await pending.evaluationBefore, await pending.better]
    return analyseMove(this.kernel, before, after, evaluationBefore, this.#evaluator(), () => Promise.resolve(better))
  }

  /** One search after the other: of one owner only the newest runs, and one that was stopped has not seen enough. */
  #evaluator(): Evaluate {
    const stopCount = this.#stopCount
    const evaluatePosition = evaluator(this.kernel, this.nodes, (search) => (this.#search = search))
    return async (view: PositionView) => {
      const evaluated = await evaluatePosition(view)
      if (stopCount !== this.#stopCount) throw new Error('nobody wants to know any more')
      return evaluated
    }
  }
}

const NO_EVALUATION: Evaluation = { chance: 0.5, proven: 0, best: [] }

/** The analysis of a move without a search. */
function quickAnalysis(before: InspectedPosition, after: InspectedPosition): MoveAnalysis {
  return {
    colour: before.view.turn,
    move: after.view.last?.text ?? '',
    before,
    after,
    evaluationBefore: NO_EVALUATION,
    evaluationAfter: null,
    reply: null,
    better: null,
  }
}
