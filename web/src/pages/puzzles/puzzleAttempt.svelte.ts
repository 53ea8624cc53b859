/**
 * One puzzle on the board: moves are judged by the stored solution, or else by the kernel, and the opponent replies. A
 * wrong move is refuted on the board, and the solution can be stepped through.
 */
import type { Colour, PositionView } from '../../api/model'
import { other } from '../../board/view/words'
import { t } from '../../i18n/index.svelte'
import type { Defence, Task, Win } from '../../kernel/kernel'
import { loadKernel } from '../../kernel/lazy'
import type { BoardSetup } from '../../play/moveBoard.svelte'
import { readStep, type SolutionStep } from '../../play/solutionStep'
import { TaskBoard } from '../../play/taskBoard.svelte'
import { VariationStepper } from '../../play/variationStepper.svelte'
import type { Ticket } from '../../requests/latest'
import { errorWords } from '../../ui/errors'
import type { Puzzle } from './collection'

/** Proves wins and losses. */
export interface Prover {
  /** Whether the side to move loses within so many moves of the other side, and its best reply. */
  defend(task: Task, maxMoves: number): Promise<Defence>
  /** How the side to move wins within so many moves. */
  win(task: Task, maxMoves: number): Promise<Win>
  /** The move of an engine level, where nothing is proven. */
  play(task: Task): Promise<string>
}

/** How many moves the kernel tries before it gives up a proof: about two seconds on a phone. */
const MAX_NODES = 400_000
const REPLY_LEVEL = 3
/** Within so many moves the kernel looks for wins of every kind; within more, for those that threaten all the way. */
const MAX_FULL_SEARCH_MOVES = 2

const kernelProver: Prover = {
  defend: async (task, turns) => (await loadKernel()).defend(task, turns, MAX_NODES).result,
  win: async (task, turns) => (await loadKernel()).win(task, turns, MAX_NODES).result,
  play: async (task) => (await (await loadKernel()).play(task, REPLY_LEVEL, task.turns.length).result).move,
}

/** The time between two moves that are played by themselves, so that each is seen. */
const PAUSE_MILLISECONDS = 800
const pauseBetweenMoves = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))

export interface AttemptOptions {
  readonly prover?: Prover
  readonly pause?: () => Promise<void>
  /** Against the clock no move is refuted. */
  readonly isTimed?: boolean
  /** Called once, when it is known whether the first try solves the puzzle. */
  readonly onDecided?: (solved: boolean) => void
}

/** What is wrong with a move. */
interface Refutation {
  /** The opponent's reply, and how the game goes on. */
  readonly variation: readonly string[]
  readonly words: () => string
}

/** The player's turn: the moves so far, the position, and how the solution goes on from there. */
interface Checkpoint {
  readonly moves: readonly string[]
  readonly view: PositionView
  readonly expected: readonly string[]
}

export class PuzzleAttempt {
  /** Whether the first try solved the puzzle; null until that is known. */
  solved: boolean | null = $state(null)
  readonly task: TaskBoard
  /** The player's moves, their refutation or the solution: open once the task has ended. */
  readonly variation: VariationStepper
  /** How the solution goes on as far as it is known, the player's move first. */
  #expected: readonly string[]
  /** Before the player's last move. */
  #checkpoint: Checkpoint
  readonly #prover: Prover
  readonly #pause: () => Promise<void>

  constructor(
    setup: BoardSetup,
    readonly puzzle: Puzzle,
    readonly options: AttemptOptions = {},
  ) {
    this.#prover = options.prover ?? kernelProver
    this.#pause = options.pause ?? pauseBetweenMoves
    this.#expected = puzzle.solution
    this.#checkpoint = { moves: [], view: setup.view, expected: puzzle.solution }
    this.task = new TaskBoard(setup, {
      onPlay: () => {
        const { moves, board } = this.task
        this.#checkpoint = { moves, view: board.view, expected: this.#expected }
      },
      judgeMove: (text, view, ticket) => this.#judgeMove(text, view, ticket),
      findNextStep: () => this.#findNextStep(),
    })
    this.variation = new VariationStepper(this.task.board, setup.view.text, this.#pause)
  }

  #decide(solved: boolean): void {
    if (this.solved !== null) return
    this.solved = solved
    this.options.onDecided?.(solved)
  }

  async #judgeMove(text: string, view: PositionView, ticket: Ticket): Promise<void> {
    try {
      if (view.outcome) return this.#judgeOutcome(view.outcome.winner)
      if (this.puzzle.goal === 'hold') await this.#judgeDefence(text, view, ticket)
      else await this.#judgeAttack(text, view, ticket)
    } catch (error) {
      if (ticket.stale) return
      this.task.end('missed', () => errorWords(error))
    }
  }

  /** Whether a move is one of the solutions stored with the puzzle. */
  #isListed(text: string): boolean {
    return text === this.#expected[0] || (this.task.ownMoveCount === 1 && this.puzzle.also.includes(text))
  }

  /** Whether a move is wrong without a proof. */
  #isHopeless(text: string): boolean {
    const { puzzle, task } = this
    const isListComplete = task.ownMoveCount === 1 && puzzle.turns <= MAX_FULL_SEARCH_MOVES
    return this.options.isTimed === true && isListComplete && !this.#isListed(text)
  }

  async #judgeDefence(text: string, view: PositionView, ticket: Ticket): Promise<void> {
    if (this.#isListed(text)) return this.#succeed()
    if (this.#isHopeless(text)) return this.#miss({ variation: [], words: () => t('puzzle.not_this') })
    const { isWon, line } = await this.#findImmediateWin(view)
    if (ticket.stale) return
    if (isWon === false) this.#succeed()
    else this.#miss(isWon ? this.#immediateWin(view, line) : this.#unproven())
  }

  /** How the side to move wins with its next move. */
  async #findImmediateWin(view: PositionView): Promise<Pick<Win, 'isWon' | 'line'>> {
    const connection = view.threats[view.turn].turns[0]
    return connection ? { isWon: true, line: [connection] } : this.#prover.win(this.task.position, 1)
  }

  async #judgeAttack(text: string, view: PositionView, ticket: Ticket): Promise<void> {
    const { task } = this
    const remaining = this.puzzle.turns - task.ownMoveCount
    const [expected, reply] = this.#expected
    if (text === expected && remaining > 0 && reply) return this.#reply(reply, this.#expected.slice(2), ticket)
    if (this.#isHopeless(text)) return this.#miss({ variation: [], words: () => t('puzzle.not_this') })
    const connections = view.threats[view.turn].turns
    const defence = connections.length ? null : await this.#prover.defend(task.position, Math.max(1, remaining))
    if (ticket.stale) return
    const isAccepted = defence?.isLost === true || (defence?.isLost === null && this.#isListed(text))
    if (defence && isAccepted && remaining > 0) {
      const move = defence.reply ?? (await this.#prover.play(task.position))
      if (!ticket.stale) await this.#reply(move, defence.line.slice(1), ticket)
      return
    }
    // Solutions are listed for the first move alone: a later one that cannot be judged does not count as wrong.
    const counts = defence?.isLost !== null || task.ownMoveCount === 1
    const refutation = defence ? await this.#refute(defence, remaining) : this.#immediateWin(view, connections)
    if (!ticket.stale) this.#miss(refutation, counts)
  }

  async #reply(text: string, expected: readonly string[], ticket: Ticket): Promise<void> {
    const { task } = this
    const moves = [...task.moves, text]
    const [view] = await Promise.all([task.board.viewAfter(moves), this.#pause()])
    if (ticket.stale) return
    this.#expected = expected
    task.showReply(moves, view)
    // A reply that loses at once ends the puzzle, too.
    if (view.outcome) this.#judgeOutcome(view.outcome.winner)
  }

  #judgeOutcome(winner: Colour | null): void {
    const isReached = winner === this.task.learner || (winner === null && this.puzzle.goal === 'hold')
    if (isReached) this.#succeed()
    else this.#miss({ variation: [], words: () => t('puzzle.not_this') })
  }

  #succeed(): void {
    const { moves } = this.task
    this.#decide(true)
    this.variation.open(moves, moves.length)
    const { goal } = this.puzzle
    this.task.end('done', () => t(this.solved ? `puzzle.done_${goal}` : 'puzzle.done_later'))
  }

  #miss({ variation, words }: Refutation, counts = true): void {
    const { moves } = this.task
    if (counts) this.#decide(false)
    this.variation.open([...moves, ...variation], moves.length)
    this.task.end('missed', words)
    void this.variation.play()
  }

  #unproven(): Refutation {
    return { variation: [], words: () => t('puzzle.not_looked_for') }
  }

  #immediateWin(view: PositionView, winningMoves: readonly string[]): Refutation {
    const move = winningMoves[0] ?? ''
    const isConnection = view.threats[view.turn].turns.includes(move)
    const key = isConnection ? 'puzzle.connects' : 'puzzle.wins_with'
    return { variation: [move], words: () => t(key, { colour: this.#opponent, turn: move }) }
  }

  async #refute({ isLost, reply, line }: Defence, remaining: number): Promise<Refutation> {
    if (isLost === null || !reply) return this.#unproven()
    if (isLost) return { variation: line, words: () => t('puzzle.too_slow', { n: this.puzzle.turns }) }
    const { outcome } = await this.task.board.viewAfter([...this.task.moves, reply])
    const defaultKey = remaining > MAX_FULL_SEARCH_MOVES ? 'puzzle.answers' : 'puzzle.stops'
    const key = outcome?.winner ? 'puzzle.wins_with' : defaultKey
    return { variation: line, words: () => t(key, { colour: this.#opponent, turn: reply }) }
  }

  get #opponent(): string {
    return t(`colour.${other(this.task.learner)}`)
  }

  async giveHint(): Promise<void> {
    if (this.task.stage === 'missed') this.retry()
    this.#decide(false)
    await this.task.hints.give()
  }

  async #findNextStep(): Promise<SolutionStep | null> {
    const { board, position, ownMoveCount } = this.task
    const expected = this.#expected[0]
    if (expected) return readStep(expected, board.view)
    try {
      const { line } = await this.#prover.win(position, this.puzzle.turns - ownMoveCount)
      return line[0] ? readStep(line[0], board.view) : null
    } catch {
      return null
    }
  }

  /** Show the solution, from the start. */
  showSolution(): void {
    const { solution } = this.puzzle
    this.#decide(false)
    this.reset()
    this.variation.open(solution, 0)
    this.task.end('shown', () => t('puzzle.shown', { turns: solution.join(' ') }))
    void this.variation.play()
  }

  /** Take the wrong move back. */
  retry(): void {
    this.#returnTo(this.#checkpoint)
  }

  reset(): void {
    this.#returnTo({ moves: [], view: this.task.start, expected: this.puzzle.solution })
  }

  #returnTo({ moves, view, expected }: Checkpoint): void {
    this.variation.close()
    this.task.returnTo(moves, view)
    this.#expected = expected
  }
}
