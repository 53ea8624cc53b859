/** The earlier positions of a game: asked for when they are looked at, kept while they are still part of the game. */
import type { PositionView, TurnView } from '../../api/model'
import { Latest, type Stale, STALE } from '../../requests/latest'

export class PositionHistory {
  readonly #kept = new Map<number, PositionView>()
  readonly #asked = new Latest()
  /** Counts how often turns were taken back: what was asked for before is not kept. */
  #takenBack = 0
  /** The ply that was asked for last, until its position comes: whoever steps quickly goes on from there. */
  coming: number | null = null

  constructor(readonly ask: (ply: number) => Promise<PositionView>) {}

  /** The position after so many turns; stale if by the time it comes nobody waits for it, or if it is on its way. */
  async at(ply: number): Promise<PositionView | Stale> {
    if (this.coming === ply) return STALE
    this.leave()
    this.coming = ply
    try {
      const view = await this.#asked.run(async () => this.#kept.get(ply) ?? this.#ask(ply))
      if (view !== STALE) this.coming = null
      return view
    } catch (error) {
      this.coming = null
      throw error
    }
  }

  async #ask(ply: number): Promise<PositionView> {
    const takenBack = this.#takenBack
    const view = await this.ask(ply)
    if (takenBack === this.#takenBack) this.#kept.set(ply, view)
    return view
  }

  /** Nobody waits any more for what was asked. */
  leave(): void {
    this.#asked.invalidate()
    this.coming = null
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
