/** A good move, asked for and laid down as a ghost: not over what was entered meanwhile, nor on an earlier position. */
import { readTurn } from '../board/model/turns'
import type { TurnEntry } from '../board/view/entry.svelte'
import { t } from '../i18n/index.svelte'
import type { Game } from '../net/model'
import type { GameSource } from '../net/source'
import { Latest, STALE } from '../requests/latest'

/** The game at this screen, as far as hints need it. */
export interface Table {
  readonly game: Game
  readonly source: GameSource
  readonly turn: TurnEntry
  /** What somebody has entered, and for which position. */
  readonly entered: readonly unknown[]
  say(text: string): void
  failed(error: unknown): void
}

export class Hints {
  /** Whether one is being looked for. */
  thinking = $state(false)
  #stop: AbortController | null = null
  readonly #asked: Latest

  constructor(readonly table: Table) {
    this.#asked = new Latest(() => table.entered)
  }

  /** The hint that is on its way is not wanted any more. */
  drop(): void {
    this.#stop?.abort()
  }

  async ask(): Promise<void> {
    if (this.#asked.pending) return
    const { table } = this
    this.drop()
    const stop = (this.#stop = new AbortController())
    this.thinking = true
    table.say(t('hint.thinking'))
    try {
      const hint = await this.#asked.ask(() => table.source.hint(stop.signal))
      const turn = hint === STALE ? undefined : readTurn(hint.turn, table.game.view)
      if (hint === STALE || !turn || stop.signal.aborted) return
      table.turn.act({ do: 'suggest', ...turn })
      table.say(t('hint.found', { turn: hint.turn }))
    } catch (error) {
      if (!stop.signal.aborted) table.failed(error)
    } finally {
      if (this.#stop === stop) this.thinking = false
    }
  }
}
