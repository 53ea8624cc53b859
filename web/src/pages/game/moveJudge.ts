/**
 * What the rules say about a game: its earlier positions, and why something is not allowed. Whoever keeps the game is
 * asked; where the server does not answer, the kernel in the page, by the moves that are known.
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
  readonly entered: readonly unknown[]
  readonly sounds: { refuse(): void }
  say(text: string, tone: 'refusal', pointed: readonly string[]): void
  handleError(error: unknown): void
}

export class MoveJudge {
  readonly #asked: Latest

  constructor(readonly context: JudgeContext) {
    this.#asked = new Latest(() => context.entered)
  }

  /** The position after so many moves. */
  position(ply: number): Promise<PositionView> {
    const { source } = this.context
    return this.#ask(
      ply,
      () => source.position(ply),
      (kernel, start, moves) => kernel.view(start, moves),
    )
  }

  /** Whether a move is allowed as it is written; if not, that is said. */
  allows(text: string): Promise<boolean> {
    return this.#judge(text, (ply) => this.context.source.explain(text, ply), false)
  }

  /** Say why a piece may not go to a space, with any heading. */
  explainTap(tap: string): Promise<boolean> {
    return this.#judge(tap, (ply) => this.context.source.explainTap(tap, ply), true)
  }

  /** Say why something is not allowed, and point at what is in the way; returns whether it is allowed. */
  async #judge(text: string, ask: (ply: number) => Promise<Explanation>, anyHeading: boolean): Promise<boolean> {
    const { context } = this
    const { ply } = context.game
    try {
      const found = await this.#asked.run(() =>
        this.#ask(
          ply,
          () => ask(ply),
          (kernel, start, moves) => kernel.explain(start, moves, text, anyHeading),
        ),
      )
      if (found === STALE) return false
      if (found.legal) return true
      context.say(refusalWords(found), 'refusal', found.spaces)
    } catch (error) {
      context.handleError(error)
    }
    context.sounds.refuse()
    return false
  }

  #ask<T>(
    ply: number,
    keeper: () => Promise<T>,
    replayed: (kernel: Kernel, start: string, moves: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { start, turns } = this.context.game
    const moves = turns.slice(0, ply).map(({ text }) => text)
    return askServerOrKernel(keeper, (kernel) => replayed(kernel, start, moves))
  }
}
