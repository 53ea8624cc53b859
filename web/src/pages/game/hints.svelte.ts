/** A good move, requested and drawn as a ghost: not over what was entered meanwhile, nor on an earlier position. */
import type { GameSource } from '../../api/gameSource'
import type { Game } from '../../api/model'
import { readMove } from '../../board/model/moves'
import type { MoveEntry } from '../../board/view/entry.svelte'
import { t } from '../../i18n/index.svelte'
import { Latest, STALE } from '../../requests/latest'

/** The game on this screen, as far as hints need it. */
export interface HintContext {
  readonly game: Game
  readonly source: GameSource
  readonly moveEntry: MoveEntry
  /** What the player has entered, and for which position. */
  readonly entryState: readonly unknown[]
  say(text: string): void
  handleError(error: unknown): void
}

export class Hints {
  /** Whether a hint is being searched. */
  isThinking = $state(false)
  #abortController: AbortController | null = null
  readonly #requests: Latest

  constructor(readonly context: HintContext) {
    this.#requests = new Latest(() => context.entryState)
  }

  /** Cancel the hint that is being searched. */
  cancel(): void {
    this.#abortController?.abort()
  }

  async request(): Promise<void> {
    if (this.#requests.isPending) return
    const { context } = this
    this.cancel()
    const abortController = (this.#abortController = new AbortController())
    this.isThinking = true
    context.say(t('hint.thinking'))
    try {
      const hint = await this.#requests.run(() => context.source.hint(abortController.signal))
      const move = hint === STALE ? undefined : readMove(hint.turn, context.game.view)
      if (hint === STALE || !move || abortController.signal.aborted) return
      context.moveEntry.act({ do: 'suggest', ...move })
      context.say(t('hint.found', { turn: hint.turn }))
    } catch (error) {
      if (!abortController.signal.aborted) context.handleError(error)
    } finally {
      if (this.#abortController === abortController) this.isThinking = false
    }
  }
}
