/** Practice without a game: moves for both colours, which can be undone, and the board reset. */
import type { PositionView } from '../api/model'
import { t } from '../i18n/index.svelte'
import { Latest, STALE } from '../requests/latest'
import { type BoardSetup, MoveBoard } from './moveBoard.svelte'

export class PracticeBoard {
  moves: readonly string[] = $state.raw([])
  readonly start: PositionView
  readonly board: MoveBoard
  readonly #undoRequests = new Latest(() => [this.moves])
  /** The moves that the last undo leaves. */
  #remaining: readonly string[] = []

  /** After `maxMoves` moves the board waits to be reset. */
  constructor(setup: BoardSetup, maxMoves = Infinity) {
    this.start = setup.view
    this.board = new MoveBoard(setup, {
      position: () => ({ start: this.start.text, turns: this.moves }),
      canPlay: () => this.moves.length < maxMoves,
      onPlayed: (text) => {
        this.moves = [...this.moves, text]
      },
    })
  }

  reset(): void {
    const { board } = this
    this.#undoRequests.invalidate()
    this.moves = []
    board.show(this.start)
    board.message = null
    board.refusal = null
  }

  /** Undo the last move. */
  async undo(): Promise<void> {
    const { board } = this
    board.withdraw()
    // While the position of an undo is still to come, the next one goes on from there.
    const moves = (this.#undoRequests.isPending ? this.#remaining : this.moves).slice(0, -1)
    this.#remaining = moves
    try {
      const view = moves.length ? await this.#undoRequests.run(() => board.viewAfter(moves)) : this.start
      if (view === STALE) return
      this.moves = moves
      board.show(view)
      board.message = null
      board.announcer.say(t('notice.taken_back'))
    } catch (error) {
      board.sayError(error)
    }
  }
}
