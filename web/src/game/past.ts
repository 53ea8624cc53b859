/** The earlier positions of a game: asked for when they are looked at, kept while they are still part of the game. */
import type { PositionView, TurnView } from '../net/model'

export class Past {
  readonly #kept = new Map<number, PositionView>()
  /** Counts what was asked for: only the last question matters. */
  #question = 0
  /** Counts how often turns were taken back: what was asked for before is not kept. */
  #takenBack = 0

  constructor(readonly ask: (ply: number) => Promise<PositionView>) {}

  /** The position after so many turns; null if by the time it comes nobody waits for it any more. */
  async at(ply: number): Promise<PositionView | null> {
    const question = ++this.#question
    const kept = this.#kept.get(ply)
    if (kept) return kept
    const takenBack = this.#takenBack
    try {
      const view = await this.ask(ply)
      if (takenBack === this.#takenBack) this.#kept.set(ply, view)
      return question === this.#question ? view : null
    } catch (error) {
      if (question !== this.#question) return null
      throw error
    }
  }

  /** Nobody waits any more for what was asked. */
  leave(): void {
    this.#question++
  }

  /** The game has gone on, or back: positions after turns that are no longer in it are forgotten. */
  follow(before: readonly TurnView[], after: readonly TurnView[]): void {
    const parting = before.findIndex((turn, index) => turn.text !== after[index]?.text)
    if (parting === -1) return
    this.leave()
    this.#takenBack++
    for (const ply of this.#kept.keys()) if (ply > parting) this.#kept.delete(ply)
  }
}
