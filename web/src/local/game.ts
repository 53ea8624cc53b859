/**
 * One game of this browser, for whoever shows it: judged by the kernel in the page, stored before it is told. The
 * computer thinks in one tab at a time, and only while somebody looks.
 */
import type { Kernel, Search } from '../kernel/kernel'
import { ApiError } from '../net/client'
import type { Colour, Explanation, Game, Hint, NewGame, PositionView } from '../net/model'
import type { GameListener, GameSource, Links, Reviews } from '../net/source'
import { alone } from './alone'
import { broken, isHanded, type KeptGame } from './kept'
import { recordOf } from './record'
import { isOf } from './review'
import {
  drawn,
  engineToMove,
  gameOf,
  playedAgain,
  pushed,
  resigned,
  type Standing,
  takenBack,
  textsOf,
} from './standing'
import { Conflict, type Store } from './store'

const HINT_LEVEL = 8
/** No level thinks for longer than a second. */
const LONGEST = 1

/** An owner of searches each: neither ends the other's. */
export interface Kernels {
  readonly plays: Kernel
  readonly hints: Kernel
}

export class LocalGame implements GameSource {
  readonly game: Game
  readonly you = null
  readonly people = null
  readonly outbox = null
  readonly since = null
  readonly reviews: Reviews
  readonly links: Links
  #standing: Standing
  #listener: GameListener | null = null
  #thinking: AbortController | null = null

  private constructor(
    readonly store: Store,
    readonly kernels: Kernels,
    readonly begin: (wanted: Partial<NewGame>) => Promise<string>,
    standing: Standing,
  ) {
    this.#standing = standing
    this.game = gameOf(standing)
    const { id } = this.game
    this.reviews = {
      kept: async () => {
        const found = await store.review(id)
        return found && isOf(found, textsOf(this.#standing.kept.turns)) ? found : null
      },
      keep: (nodes, { start, turns }) => store.keepReview({ id, nodes, start, turns: [...turns] }),
    }
    this.links = {
      page: `/local/${id}`,
      shared: false,
      analysis: `/analysis?local=${id}`,
      review: `/local/${id}/review`,
      record: (format) => (format === 'text' ? asFile(recordOf(this.#standing.kept)) : null),
      picture: () => null,
      animation: () => null,
    }
  }

  static async open(
    store: Store,
    kernels: Kernels,
    begin: (wanted: Partial<NewGame>) => Promise<string>,
    kept: KeptGame,
  ): Promise<LocalGame> {
    return new LocalGame(store, kernels, begin, await stood(kernels.plays, kept))
  }

  // ------------------------------------------------------------------ looking

  position(ply: number): Promise<PositionView> {
    const { start, turns } = this.#standing.kept
    return this.kernels.plays.view(start, textsOf(turns.slice(0, ply)))
  }

  explain(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#standing.kept
    return this.kernels.plays.explain(start, textsOf(turns.slice(0, ply)), text)
  }

  explainTap(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#standing.kept
    return this.kernels.plays.explain(start, textsOf(turns.slice(0, ply)), text, true)
  }

  async hint(signal: AbortSignal): Promise<Hint> {
    const { start, turns } = this.#standing.kept
    const search = this.kernels.hints.play({ start, turns: textsOf(turns) }, HINT_LEVEL, this.#seed)
    signal.addEventListener('abort', () => search.stop())
    const { move, depth, nodes, variations } = await search.done
    signal.throwIfAborted()
    const best = variations.find((variation) => variation.move === move)
    return { ply: turns.length, turn: move, chance: best?.score ?? 0, line: [...(best?.pv ?? [])], depth, nodes }
  }

  // ------------------------------------------------------------------ playing

  play = (text: string, ply: number): Promise<Game> => this.#push(text, ply, 'person')
  undo = (ply: number): Promise<Game> => this.#change((now, at) => takenBack(now, ply, this.kernels.plays.game, at))
  redo = (ply: number): Promise<Game> => this.#change((now, at) => playedAgain(now, ply, this.kernels.plays.game, at))
  resign = (colour: Colour): Promise<Game> => this.#change(async (now, at) => resigned(now, colour, at))
  draw = (): Promise<Game> => this.#change(async (now, at) => drawn(now, at))

  #push(text: string, ply: number, by: 'person' | 'engine'): Promise<Game> {
    return this.#change((now, at) => pushed(now, text, ply, by, this.kernels.plays.game, at))
  }

  /** One change: judged, stored, and only then told. What the game does not allow comes with how it stands. */
  async #change(wish: (now: Standing, at: string) => Promise<Standing>): Promise<Game> {
    const before = await this.#current()
    try {
      const after = await wish(before, new Date().toISOString())
      if (after !== before) await this.store.change(after.kept, before.kept.revision)
      return this.#show(after)
    } catch (error) {
      if (error instanceof Conflict) {
        const game = this.#show(await this.#current())
        throw new ApiError(409, 'wrong_ply', 'The game was changed elsewhere in the meantime.', { game })
      }
      if (error instanceof ApiError && error.status === 409) {
        throw new ApiError(409, error.code, error.message, { ...error.detail, game: gameOf(before) })
      }
      throw error
    }
  }

  /** The game as it is stored now, whichever tab has changed it. */
  async #current(): Promise<Standing> {
    const found = await this.store.get(this.game.id)
    if (!found) {
      this.#listener?.message({ type: 'gone', reason: 'deleted' })
      throw new ApiError(404, 'unknown_game', 'There is no such game.')
    }
    if (isHanded(found)) {
      this.#listener?.moved(found.handed)
      throw new ApiError(409, 'wrong_ply', 'The server keeps this game now.')
    }
    const { kept } = this.#standing
    return found.revision === kept.revision ? this.#standing : stood(this.kernels.plays, found)
  }

  #show(standing: Standing): Game {
    if (standing.kept.revision >= this.#standing.kept.revision) {
      const same = standing.kept.revision === this.#standing.kept.revision
      this.#standing = standing
      if (!same) this.#attend()
    }
    return gameOf(standing)
  }

  // ------------------------------------------------------------------ hearing

  listen(known: () => number, listener: GameListener): () => void {
    this.#listener = listener
    const look = (): void =>
      void this.#current().then(
        (standing) => {
          if (this.#listener !== listener) return
          const game = this.#show(standing)
          if (game.revision > known()) listener.message({ type: 'game', game })
        },
        // It is gone, or elsewhere, which was told; what is damaged is told to whoever wants something of it.
        () => undefined,
      )
    const stop = this.store.hear((id) => id === this.game.id && look())
    look()
    this.#attend()
    return () => {
      stop()
      this.#listener = null
      this.#thinking?.abort()
    }
  }

  // ------------------------------------------------------------------ the computer

  /** Every game has its own, so that no two run alike. */
  get #seed(): number {
    return Number.parseInt(this.game.id.slice(0, 8), 16)
  }

  /** Think if the computer is to move; what it thought about before is no longer wanted. */
  #attend(): void {
    this.#thinking?.abort()
    this.#thinking = null
    const level = engineToMove(this.#standing)
    if (level === null || !this.#listener) return
    this.#thinking = new AbortController()
    void this.#think(this.#standing, level, this.#thinking.signal)
  }

  async #think(standing: Standing, level: number, signal: AbortSignal): Promise<void> {
    const { id, start, turns } = standing.kept
    let search: Search<unknown> | null = null
    signal.addEventListener('abort', () => search?.stop())
    try {
      await alone(
        `punct.think.${id}`,
        async () => {
          const now = await this.#current()
          if (signal.aborted || now.kept.revision !== standing.kept.revision) return
          const task = { start, turns: textsOf(turns) }
          const begun = this.kernels.plays.play(task, level, this.#seed, ({ seconds }) => {
            if (!signal.aborted) this.#tellThinking(standing, level, Math.min(1, seconds / LONGEST))
          })
          search = begun
          const { move } = await begun.done
          if (!signal.aborted) await this.#push(move, turns.length, 'engine')
        },
        signal,
      )
    } catch (error) {
      // Another tab was quicker, or nobody wants it any more: the store tells how the game stands.
      if (signal.aborted || (error instanceof ApiError && error.status === 409)) return
      this.#tellThinking(standing, level, 0, error)
    }
  }

  #tellThinking({ kept, told }: Standing, level: number, progress: number, error: unknown = null): void {
    const colour = told.view.turn
    const since = error === null ? kept.updated : new Date().toISOString()
    const code = error === null ? null : error instanceof ApiError ? error.code : 'engine_failed'
    const message = error === null ? null : error instanceof Error ? error.message : String(error)
    this.#listener?.message({
      type: 'thinking',
      ply: told.turns.length,
      revision: kept.revision,
      colour,
      chance: null,
      depth: null,
      nodes: null,
      line: [],
      progress,
      thinking: { state: error === null ? 'thinking' : 'failed', colour, level, since, message, code },
    })
  }
}

/** A kept game with what the kernel says of it; what the kernel refuses was stored wrongly. */
async function stood(kernel: Kernel, kept: KeptGame): Promise<Standing> {
  try {
    return { kept, told: await kernel.game(kept.start, textsOf(kept.turns)) }
  } catch (error) {
    if (error instanceof ApiError && /^(illegal|invalid)_/.test(error.code)) throw broken()
    throw error
  }
}

function asFile(text: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}
