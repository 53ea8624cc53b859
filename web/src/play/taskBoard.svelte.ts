/**
 * A board with a task for one colour: the player's moves are judged, the opponent replies, hints are given in steps,
 * and it can be reset. Its owner, a puzzle or an exercise, judges by callbacks.
 */
import { tick } from 'svelte'
import type { Colour, PositionView } from '../api/model'
import { positionWords } from '../board/view/words'
import type { Task } from '../kernel/kernel'
import { Latest, type Ticket } from '../requests/latest'
import { HintStepper } from './hintStepper.svelte'
import { type BoardSetup, MoveBoard, type MoveBoardCallbacks } from './moveBoard.svelte'
import type { SolutionStep } from './solutionStep'

/** `try`: the player's turn; `answer`: the opponent's; then the goal was reached, missed, or shown. */
export type Stage = 'try' | 'answer' | 'done' | 'missed' | 'shown'

export const NO_WORDS = (): string => ''

export interface TaskCallbacks extends Pick<MoveBoardCallbacks, 'viewAfter' | 'onRefused' | 'onNotice' | 'onSelect'> {
  /** The player's move is legal and is about to be added. */
  onPlay?(): void
  /** Judges the player's move: ends the task or shows the opponent's reply, unless the ticket is stale by then. */
  judgeMove(text: string, view: PositionView, ticket: Ticket): Promise<void>
  /** Finds the move to hint at. */
  findNextStep(): Promise<SolutionStep | null>
}

export class TaskBoard {
  stage: Stage = $state('try')
  /** The result of the task, in the language chosen when it is read. */
  verdict: () => string = $state.raw(NO_WORDS)
  moves: readonly string[] = $state.raw([])
  readonly start: PositionView
  readonly board: MoveBoard
  readonly hints: HintStepper
  readonly #callbacks: TaskCallbacks
  /** The judgement of the last move: stale once the board was reset, or another move was played. */
  readonly #judgements = new Latest()

  constructor(setup: BoardSetup, callbacks: TaskCallbacks) {
    const { viewAfter, onRefused, onNotice, onSelect } = callbacks
    this.start = setup.view
    this.#callbacks = callbacks
    this.board = new MoveBoard(setup, {
      position: () => this.position,
      canPlay: (view) => this.stage === 'try' && view.turn === this.learner,
      onPlayed: (text, view) => this.#onPlayed(text, view),
      ...(viewAfter && { viewAfter }),
      ...(onRefused && { onRefused }),
      ...(onNotice && { onNotice }),
      ...(onSelect && { onSelect }),
    })
    this.hints = new HintStepper(
      this.board,
      () => this.stage,
      () => callbacks.findNextStep(),
    )
  }

  /** The colour that has the task. */
  get learner(): Colour {
    return this.start.turn
  }

  /** How many moves the player has played. */
  get ownMoveCount(): number {
    return this.moves.filter((_, ply) => ply % 2 === 0).length
  }

  get position(): Task {
    return { start: this.start.text, turns: this.moves }
  }

  #onPlayed(text: string, view: PositionView): void {
    this.#callbacks.onPlay?.()
    this.moves = [...this.moves, text]
    this.hints.clear()
    this.stage = 'answer'
    const ticket = this.#judgements.begin()
    // The move itself is announced first.
    void tick().then(() => (ticket.stale ? undefined : this.#callbacks.judgeMove(text, view, ticket)))
  }

  /** Show the opponent's reply, the last of these moves: it is the player's turn again. */
  showReply(moves: readonly string[], view: PositionView): void {
    this.moves = moves
    this.stage = 'try'
    this.board.show(view)
    this.board.say(positionWords(view))
  }

  /** End the task with a result. */
  end(stage: 'done' | 'missed' | 'shown', verdict: () => string): void {
    this.stage = stage
    this.hints.clear()
    this.verdict = verdict
    this.board.moveEntry.act({ do: 'sync' })
    this.board.announcer.say(verdict())
  }

  reset(): void {
    this.returnTo([], this.start)
  }

  /** Let the player try again from the position after these moves. */
  returnTo(moves: readonly string[], view: PositionView): void {
    const { board } = this
    board.withdraw()
    this.#judgements.invalidate()
    this.moves = moves
    this.stage = 'try'
    this.verdict = NO_WORDS
    this.hints.clear()
    board.refusal = null
    board.moveEntry.act({ do: 'cancel' })
    board.message = null
    board.show(view)
  }
}
