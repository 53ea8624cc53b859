/**
 * What the rules say about a game: its earlier positions, and why something is not allowed. The game's source is asked;
 * where the server cannot be reached, the kernel in the page, with the known moves.
 */
import type { GameSource } from '../../api/gameSource'
import type { Explanation, Game, PositionView } from '../../api/model'
import { refusalWords } from '../../board/view/words'
import type { Kernel } from '../../kernel/kernel'
import { askServerOrKernel } from '../../play/judge'
import { Latest, STALE } from '../../requests/latest'

/** The game on this screen, as far as the rules need it. */
export interface JudgeContext {
  readonly game: Game
  readonly source: GameSource
  /** What the player has entered, and for which position. */
  readonly entryState: readonly unknown[]
  readonly sounds: { refuse(): void }
  say(text: string, tone: 'refusal', highlights: readonly string[]): void
  handleError(error: unknown): void
}

export class MoveJudge {
  readonly #requests: Latest

  constructor(readonly context: JudgeContext) {
    this.#requests = new Latest(() => context.entryState)
  }

  /** The position after so many moves. */
  position(ply: number): Promise<PositionView> {
    const { source } = this.context
    return this.#askSourceOrKernel(
      ply,
      () => source.position(ply),
      (kernel, start, moves) => kernel.view(start, moves),
    )
  }

  /** Whether a move is legal; if not, the reason is said. */
  isLegal(text: string): Promise<boolean> {
    return this.#judge(text, (ply) => this.context.source.explain(text, ply), false)
  }

  /** Say why a piece may not go to a space, with any heading. */
  explainTap(tap: string): Promise<boolean> {
    return this.#judge(tap, (ply) => this.context.source.explainTap(tap, ply), true)
  }

  /** Say why something is not allowed, and highlight what is in the way; returns whether it is allowed. */
  async #judge(text: string, request: (ply: number) => Promise<Explanation>, anyHeading: boolean): Promise<boolean> {
    const { context } = this
    const { ply } = context.game
    try {
      const explanation = await this.#requests.run(() =>
        this.#askSourceOrKernel(
          ply,
          () => request(ply),
          (kernel, start, moves) => kernel.explain(start, moves, text, anyHeading),
        ),
      )
      if (explanation === STALE) return false
      if (explanation.legal) return true
      context.say(refusalWords(explanation), 'refusal', explanation.spaces)
    } catch (error) {
      context.handleError(error)
    }
    context.sounds.refuse()
    return false
  }

  #askSourceOrKernel<T>(
    ply: number,
    source: () => Promise<T>,
    askKernel: (kernel: Kernel, start: string, moves: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { start, turns } = this.context.game
    const moves = turns.slice(0, ply).map(({ text }) => text)
    return askServerOrKernel(source, (kernel) => askKernel(kernel, start, moves))
  }
}
