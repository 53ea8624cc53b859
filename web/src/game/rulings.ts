/**
 * What the rules say about a game: its earlier positions, and why something is not allowed. Whoever keeps the game is
 * asked; where the server does not answer, the kernel in the page, by the moves that are known.
 */
import { refusalWords } from '../board/view/words'
import type { Kernel } from '../kernel/kernel'
import type { Explanation, Game, PositionView } from '../net/model'
import type { GameSource } from '../net/source'
import { either } from '../parts/judge'
import { Latest, STALE } from '../requests/latest'

/** The game at this screen, as far as the rules need it. */
export interface Table {
  readonly game: Game
  readonly source: GameSource
  /** What somebody has entered, and for which position. */
  readonly entered: readonly unknown[]
  readonly sounds: { refuse(): void }
  say(text: string, tone: 'refusal', pointed: readonly string[]): void
  failed(error: unknown): void
}

export class Rulings {
  readonly #asked: Latest

  constructor(readonly table: Table) {
    this.#asked = new Latest(() => table.entered)
  }

  /** The position after so many moves. */
  position(ply: number): Promise<PositionView> {
    const { source } = this.table
    return this.#ask(
      ply,
      () => source.position(ply),
      (kernel, start, moves) => kernel.view(start, moves),
    )
  }

  /** Whether a move is allowed as it is written; if not, that is said. */
  allows(text: string): Promise<boolean> {
    return this.#judge(text, (ply) => this.table.source.explain(text, ply), false)
  }

  /** Say why a piece may not go to a space, with any heading. */
  explainTap(tap: string): Promise<boolean> {
    return this.#judge(tap, (ply) => this.table.source.explainTap(tap, ply), true)
  }

  /** Say why something is not allowed, and point at what is in the way; returns whether it is allowed. */
  async #judge(text: string, ask: (ply: number) => Promise<Explanation>, anyHeading: boolean): Promise<boolean> {
    const { table } = this
    const { ply } = table.game
    try {
      const found = await this.#asked.ask(() =>
        this.#ask(
          ply,
          () => ask(ply),
          (kernel, start, moves) => kernel.explain(start, moves, text, anyHeading),
        ),
      )
      if (found === STALE) return false
      if (found.legal) return true
      table.say(refusalWords(found), 'refusal', found.spaces)
    } catch (error) {
      table.failed(error)
    }
    table.sounds.refuse()
    return false
  }

  #ask<T>(
    ply: number,
    keeper: () => Promise<T>,
    replayed: (kernel: Kernel, start: string, moves: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { start, turns } = this.table.game
    const moves = turns.slice(0, ply).map(({ text }) => text)
    return either(keeper, (kernel) => replayed(kernel, start, moves))
  }
}
