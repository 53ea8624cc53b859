/**
 * Whether a turn deserves a question before it is played, and which. A coach who speaks too often is switched off, and
 * one who is wrong is not believed: so every doubt means silence, and so does every delay.
 */
import scale from '../../../src/punct/analysis/scale.json'
import type { PositionView } from '../api/model'
import type { Shape } from '../board/model/shape'
import type { Kernel, Search } from '../kernel/kernel'
import { type Fact, factsOf, type Grave, graveFacts } from './facts'
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

/** For each position: tenths of a second on a phone. All are looked at for as long, or they could not be compared. */
export const NODES = 1500
/** Milliseconds that a player waits for the coach, at the most; then the turn is simply played. */
export const MAX_WAIT_MS = 1500
/** What a blunder gives away, by the review's own scale: the coach and the review call the same turns bad. */
export const BLUNDER_GIVEN_AWAY = scale.judgements.blunder.given_away
/** A win is spoken of if it can be shown to its end: with so many turns of both sides. */
export const MAX_WIN_MOVES = Math.ceil(MAX_VARIATION / 2)

/** A question about a turn, with its reasons. */
export interface Advice {
  readonly about: MoveAnalysis
  /** What is asked. */
  readonly grave: Grave
  /** What is said on request, the same first. */
  readonly facts: readonly Fact[]
}

/** Whether the game was lost before the turn, as far as is known: then no turn deserves a word. */
export function isLostAnyway({ had, better }: Pick<MoveAnalysis, 'had' | 'better'>): boolean {
  // The best turn known loses as well. (Looked at from closer by, a position may turn out worse than it seemed.)
  return had.proven < 0 || (better !== null && better.left.proven > 0)
}

/**
 * How much of the player's winning chances a turn gave away, at the least; nothing where that is not known. What the
 * search thought of the position, and what it thinks of it after its own best turn: only what is gone by both
 * reckonings was there, and no mirage. The second compares like with like. (What was proved needs no second look.)
 */
export function givenAway({ had, left, better }: MoveAnalysis): number {
  if (!left || !better) return 0
  const kept = had.proven > 0 ? had.chance : Math.min(had.chance, 1 - better.left.chance)
  return kept - (1 - left.chance)
}

/** Losing at once, or leaving a win at once: seen on the board, without any search. */
const AT_ONCE: readonly Fact['fact'][] = ['uncovers', 'behind', 'connects', 'counts', 'could_connect', 'could_count']

/** What to ask about a turn; null where nothing is worth it. */
export function concernOf(about: MoveAnalysis): Grave | null {
  const [first] = graveFacts(about)
  if (!first || about.turn === about.had.best[0]) return null
  if (first.fact === 'could_connect' || first.fact === 'could_count') return first
  if (isLostAnyway(about)) return null
  if (AT_ONCE.includes(first.fact)) return first
  if ('n' in first && first.n > MAX_WIN_MOVES) return null
  return givenAway(about) >= BLUNDER_GIVEN_AWAY ? first : null
}

/** What was found about the position of a player who is thinking. */
interface Prepared {
  readonly text: string
  readonly before: Promise<InspectedPosition>
  readonly had: Promise<Evaluation>
  readonly better: Promise<MoveAnalysis['better']>
}

/** A timer that can be given up. */
export function startTimeout(milliseconds = MAX_WAIT_MS): { readonly over: Promise<null>; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), milliseconds)))
  return { over, stop: () => clearTimeout(timer) }
}

export class Advisor {
  #prepared: Prepared | null = null
  #search: Search | null = null
  /** Grows whenever what is looked for is no longer wanted. */
  #stops = 0

  /** `kernel` is the coach's own: nobody else searches with it. */
  constructor(
    readonly kernel: Kernel,
    readonly shape: Shape,
    readonly wait = startTimeout,
    readonly nodes = NODES,
  ) {}

  /** Begin to look at a position while its player thinks. */
  prepare(text: string): void {
    if (this.#prepared?.text === text) return
    this.stop()
    const look = this.#look()
    const before = inspect(this.kernel, text)
    const had = before.then(async ({ view }) => evaluationOf(await look(view)))
    const better = Promise.all([before, had]).then(async ([{ view }, { best }]) =>
      best[0] ? analyseBetter(this.kernel, view, best[0], look) : null,
    )
    // Whoever asks hears what went wrong; if nobody does, it does not matter.
    for (const found of [before, had, better]) found.catch(() => undefined)
    this.#prepared = { text, before, had, better }
  }

  /** What is to be asked about a turn; null if nothing, or if it is not known in time. */
  async judge(text: string, turn: string): Promise<Advice | null> {
    this.prepare(text)
    const prepared = this.#prepared
    if (!prepared) return null
    const time = this.wait()
    try {
      const [before, after] = await Promise.all([prepared.before, inspect(this.kernel, text, turn)])
      const known = await Promise.race([this.#known(prepared, before, after), time.over])
      // Whoever answers now shall have the worker to themselves.
      if (!known) this.stop()
      const about = known ?? atOnce(before, after)
      const grave = concernOf(about)
      return grave && { about, grave, facts: factsOf(this.shape, about) }
    } catch {
      // No kernel, or one that broke down: the game goes on without a coach.
      return null
    } finally {
      time.stop()
    }
  }

  /** Leave off; what was looked at is not wanted any more. */
  stop(): void {
    this.#stops += 1
    this.#search?.stop()
    this.#search = null
    this.#prepared = null
  }

  async #known({ had, better }: Prepared, before: InspectedPosition, after: InspectedPosition): Promise<MoveAnalysis> {
    const [was, best] = [await had, await better]
    return analyseMove(this.kernel, before, after, was, this.#look(), () => Promise.resolve(best))
  }

  /** One search after the other: of one owner only the newest goes on, and one that was ended has not seen enough. */
  #look(): Evaluate {
    const stops = this.#stops
    const look = evaluator(this.kernel, this.nodes, (search) => (this.#search = search))
    return async (view: PositionView) => {
      const found = await look(view)
      if (stops !== this.#stops) throw new Error('nobody wants to know any more')
      return found
    }
  }
}

const NOT_LOOKED_AT: Evaluation = { chance: 0.5, proven: 0, best: [] }

/** A turn as it is seen without a search. */
function atOnce(before: InspectedPosition, after: InspectedPosition): MoveAnalysis {
  return {
    colour: before.view.turn,
    turn: after.view.last?.text ?? '',
    before,
    after,
    had: NOT_LOOKED_AT,
    left: null,
    answer: null,
    better: null,
  }
}
