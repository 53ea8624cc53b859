/** The earlier positions of a game: loaded on demand, cached while they are still part of the game. */
import type { PositionView, TurnView } from '../../api/model'
import { Latest, type Stale, STALE } from '../../requests/latest'

export class PositionHistory {
  readonly #views = new Map<number, PositionView>()
  readonly #requests = new Latest()
  /** Counts undos: a view that was requested before one is not cached. */
  #undoCount = 0
  /** The ply requested last, until its position comes: quick steps go on from there. */
  pendingPly: number | null = null

  constructor(readonly load: (ply: number) => Promise<PositionView>) {}

  /** The position after so many moves; stale if it is no longer needed when it comes, or requested already. */
  async at(ply: number): Promise<PositionView | Stale> {
    if (this.pendingPly === ply) return STALE
    this.invalidate()
    this.pendingPly = ply
    try {
      const view = await this.#requests.run(async () => this.#views.get(ply) ?? this.#load(ply))
      if (view !== STALE) this.pendingPly = null
      return view
    } catch (error) {
      this.pendingPly = null
      throw error
    }
  }

  async #load(ply: number): Promise<PositionView> {
    const undoCount = this.#undoCount
    const view = await this.load(ply)
    if (undoCount === this.#undoCount) this.#views.set(ply, view)
    return view
  }

  /** Make pending requests stale. */
  invalidate(): void {
    this.#requests.invalidate()
    this.pendingPly = null
  }

  /** Remove the positions after moves that are no longer part of the game. */
  follow(before: readonly TurnView[], after: readonly TurnView[]): void {
    const branchPly = before.findIndex((move, index) => move.text !== after[index]?.text)
    if (branchPly === -1) return
    this.invalidate()
    this.#undoCount++
    for (const ply of this.#views.keys()) if (ply > branchPly) this.#views.delete(ply)
  }
}
