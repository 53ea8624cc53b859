/** A good move, asked for and laid down as a ghost: not over what was entered meanwhile, nor on an earlier position. */
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
  readonly turn: MoveEntry
  /** What the player has entered, and for which position. */
  readonly entered: readonly unknown[]
  say(text: string): void
  handleError(error: unknown): void
}

export class Hints {
  /** Whether one is being looked for. */
  thinking = $state(false)
  #stop: AbortController | null = null
  readonly #asked: Latest

  constructor(readonly context: HintContext) {
    this.#asked = new Latest(() => context.entered)
  }

  /** The hint that is on its way is not wanted any more. */
  drop(): void {
    this.#stop?.abort()
  }

  async ask(): Promise<void> {
    if (this.#asked.isPending) return
    const { context } = this
    this.drop()
    const stop = (this.#stop = new AbortController())
    this.thinking = true
    context.say(t('hint.thinking'))
    try {
      const hint = await this.#asked.run(() => context.source.hint(stop.signal))
      const turn = hint === STALE ? undefined : readMove(hint.turn, context.game.view)
      if (hint === STALE || !turn || stop.signal.aborted) return
      context.turn.act({ do: 'suggest', ...turn })
      context.say(t('hint.found', { turn: hint.turn }))
    } catch (error) {
      if (!stop.signal.aborted) context.handleError(error)
    } finally {
      if (this.#stop === stop) this.thinking = false
    }
  }
}
