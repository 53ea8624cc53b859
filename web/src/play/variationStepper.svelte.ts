/** A variation from the start position, shown on a board: stepped through by hand, or played move by move. */
import { positionWords } from '../board/view/words'
import { Latest, STALE } from '../requests/latest'
import type { MoveBoard } from './moveBoard.svelte'

export class VariationStepper {
  moves: readonly string[] = $state.raw([])
  /** The number of moves after which the position is shown. */
  ply = $state(0)
  readonly #viewRequests = new Latest(() => [this.moves, this.ply])
  readonly #playback = new Latest()

  constructor(
    readonly board: MoveBoard,
    readonly start: string,
    /** The time between two moves that are played. */
    readonly pause: () => Promise<void>,
  ) {}

  /** Whether there is a variation to step through. */
  get isOpen(): boolean {
    return this.moves.length > 0
  }

  /** Open a variation; the board shows the position after `ply` of its moves already. */
  open(moves: readonly string[], ply: number): void {
    this.#playback.invalidate()
    this.moves = moves
    this.ply = ply
  }

  close(): void {
    this.open([], 0)
  }

  /** Show the position after so many moves. */
  async moveTo(ply: number): Promise<void> {
    const { board } = this
    const target = Math.max(0, Math.min(ply, this.moves.length))
    if (target === this.ply) return
    this.ply = target
    try {
      const moves = this.moves.slice(0, target)
      const view = await this.#viewRequests.run(() => board.judge.view(this.start, moves))
      if (view === STALE) return
      board.show(view)
      board.announcer.say(positionWords(view))
    } catch (error) {
      board.sayError(error)
    }
  }

  /** Play the rest of the variation, until the player steps by hand. */
  async play(): Promise<void> {
    const ticket = this.#playback.begin()
    while (this.ply < this.moves.length) {
      const { ply } = this
      await this.pause()
      if (ticket.stale || ply !== this.ply) return
      await this.moveTo(ply + 1)
    }
  }
}
