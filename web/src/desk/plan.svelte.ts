/** The player's conditional moves: loaded, changed and stored one change at a time. */
import { ApiError } from '../api/client'
import { desk } from '../api/desk'
import type { Plan, PlannedReply } from '../api/model'
import { Latest, STALE } from '../requests/latest'
import { errorWords } from '../ui/errors'
import type { DeskGame } from './deskGame'
import { addLine, hasLine, type Line, removeLine } from './planLines'

export class PlanEditor {
  plan: Plan | null = $state.raw(null)
  /** Why the last change failed. */
  errorText = $state('')
  isBusy = $state(false)
  /** Answers about an earlier revision of the game are stale. */
  readonly #loads: Latest

  constructor(readonly context: DeskGame) {
    this.#loads = new Latest(() => [context.game.revision])
  }

  /** Load what is stored. */
  async load(): Promise<void> {
    try {
      const plan = await this.#loads.run(() => desk.plan(this.context.game.id))
      if (plan !== STALE) this.plan = plan
    } catch (error) {
      this.#say(error)
    }
  }

  /** Whether it is the player's turn: then a line begins with their own move, which is not played by itself. */
  get isOwnTurn(): boolean {
    return this.context.game.turn === this.context.me
  }

  /** Whether a line from the game's position is planned already. */
  has(line: Line): boolean {
    if (!this.plan || (this.isOwnTurn && this.plan.first !== line[0])) return false
    return hasLine(this.plan.replies, this.isOwnTurn ? line.slice(1) : line)
  }

  /** Plan a line from the game's position; returns whether it is stored. */
  add(line: Line): Promise<boolean> {
    const first = this.isOwnTurn ? (line[0] ?? null) : null
    const rest = this.isOwnTurn ? line.slice(1) : line
    return this.#change((replies, plan) => ({
      first,
      // Replies to another move of one's own do not fit any more.
      replies: addLine(plan.first === first ? replies : [], rest),
    }))
  }

  /** Remove the last reply of a line, and what follows it. */
  remove(line: Line): Promise<boolean> {
    return this.#change((replies, { first }) => ({ first, replies: removeLine(replies, line) }))
  }

  /** Remove everything, or the words that a plan was dropped. */
  withdraw(): Promise<boolean> {
    return this.#change(() => ({ first: null, replies: [] }))
  }

  /** Store what becomes of the plan. If it was changed elsewhere, the new one is shown, and nothing is overwritten. */
  async #change(
    next: (replies: readonly PlannedReply[], plan: Plan) => { first: string | null; replies: PlannedReply[] },
  ): Promise<boolean> {
    const { plan } = this
    if (!plan || this.isBusy) return false
    const { id, ply } = this.context.game
    const { first, replies } = next(plan.replies, plan)
    this.isBusy = true
    this.errorText = ''
    this.#loads.invalidate()
    try {
      this.plan = replies.length
        ? await desk.savePlan(id, { ply, version: plan.version, first, replies })
        : await desk.withdrawPlan(id, plan.version)
      return true
    } catch (error) {
      this.context.updates.applyFromError(error)
      this.#say(error)
      if (error instanceof ApiError && error.status === 409) await this.load()
      return false
    } finally {
      this.isBusy = false
    }
  }

  #say(error: unknown): void {
    if (!(error instanceof ApiError)) throw error
    this.errorText = errorWords(error)
  }
}
