/**
 * One game of this browser, for whoever shows it: judged by the kernel in the page, stored before it is told. The
 * computer thinks in one tab at a time, and only while somebody looks.
 */
import { ApiError } from '../api/client'
import type { GameListener, GameSource, Links, Reviews } from '../api/gameSource'
import type { Colour, Explanation, Game, Hint, NewGame, PositionView } from '../api/model'
import { withTabLock } from '../browser/tabLock'
import type { Kernel, Search } from '../kernel/kernel'
import {
  drawGame,
  engineToMove,
  gameOf,
  type GameState,
  playMove,
  redoMoves,
  resignGame,
  textsOf,
  undoMoves,
} from './gameState'
import { type GameStore, RevisionConflict } from './gameStore'
import { recordOf } from './record'
import { brokenGameError, isUploaded, type SavedGame } from './savedGame'
import { isReviewOf } from './savedReview'

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
  readonly cachedAt = null
  readonly reviews: Reviews
  readonly links: Links
  #state: GameState
  #listener: GameListener | null = null
  #thinking: AbortController | null = null

  private constructor(
    readonly store: GameStore,
    readonly kernels: Kernels,
    readonly begin: (wanted: Partial<NewGame>) => Promise<string>,
    state: GameState,
  ) {
    this.#state = state
    this.game = gameOf(state)
    const { id } = this.game
    this.reviews = {
      load: async () => {
        const found = await store.review(id)
        return found && isReviewOf(found, textsOf(this.#state.saved.turns)) ? found : null
      },
      save: (nodes, { start, turns }) => store.keepReview({ id, nodes, start, turns: [...turns] }),
    }
    this.links = {
      page: `/local/${id}`,
      shared: false,
      analysis: `/analysis?local=${id}`,
      review: `/local/${id}/review`,
      record: (format) => (format === 'text' ? asFile(recordOf(this.#state.saved)) : null),
      picture: () => null,
      animation: () => null,
    }
  }

  static async open(
    store: GameStore,
    kernels: Kernels,
    begin: (wanted: Partial<NewGame>) => Promise<string>,
    saved: SavedGame,
  ): Promise<LocalGame> {
    return new LocalGame(store, kernels, begin, await stood(kernels.plays, saved))
  }

  // ------------------------------------------------------------------ looking

  position(ply: number): Promise<PositionView> {
    const { start, turns } = this.#state.saved
    return this.kernels.plays.view(start, textsOf(turns.slice(0, ply)))
  }

  explain(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#state.saved
    return this.kernels.plays.explain(start, textsOf(turns.slice(0, ply)), text)
  }

  explainTap(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#state.saved
    return this.kernels.plays.explain(start, textsOf(turns.slice(0, ply)), text, true)
  }

  async hint(signal: AbortSignal): Promise<Hint> {
    const { start, turns } = this.#state.saved
    const search = this.kernels.hints.play({ start, turns: textsOf(turns) }, HINT_LEVEL, this.#seed)
    signal.addEventListener('abort', () => search.stop())
    const { move, depth, nodes, variations } = await search.result
    signal.throwIfAborted()
    const best = variations.find((variation) => variation.move === move)
    return { ply: turns.length, turn: move, chance: best?.score ?? 0, line: [...(best?.pv ?? [])], depth, nodes }
  }

  // ------------------------------------------------------------------ playing

  play = (text: string, ply: number): Promise<Game> => this.#push(text, ply, 'person')
  undo = (ply: number): Promise<Game> => this.#change((now, at) => undoMoves(now, ply, this.kernels.plays.game, at))
  redo = (ply: number): Promise<Game> => this.#change((now, at) => redoMoves(now, ply, this.kernels.plays.game, at))
  resign = (colour: Colour): Promise<Game> => this.#change(async (now, at) => resignGame(now, colour, at))
  draw = (): Promise<Game> => this.#change(async (now, at) => drawGame(now, at))

  #push(text: string, ply: number, by: 'person' | 'engine'): Promise<Game> {
    return this.#change((now, at) => playMove(now, text, ply, by, this.kernels.plays.game, at))
  }

  /** One change: judged, stored, and only then told. What the game does not allow comes with how it stands. */
  async #change(wish: (now: GameState, at: string) => Promise<GameState>): Promise<Game> {
    const before = await this.#current()
    try {
      const after = await wish(before, new Date().toISOString())
      if (after !== before) await this.store.change(after.saved, before.saved.revision)
      return this.#show(after)
    } catch (error) {
      if (error instanceof RevisionConflict) {
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
  async #current(): Promise<GameState> {
    const found = await this.store.get(this.game.id)
    if (!found) {
      this.#listener?.message({ type: 'gone', reason: 'deleted' })
      throw new ApiError(404, 'unknown_game', 'There is no such game.')
    }
    if (isUploaded(found)) {
      this.#listener?.uploaded(found.handed)
      throw new ApiError(409, 'wrong_ply', 'The server keeps this game now.')
    }
    const { saved } = this.#state
    return found.revision === saved.revision ? this.#state : stood(this.kernels.plays, found)
  }

  #show(state: GameState): Game {
    if (state.saved.revision >= this.#state.saved.revision) {
      const same = state.saved.revision === this.#state.saved.revision
      this.#state = state
      if (!same) this.#attend()
    }
    return gameOf(state)
  }

  // ------------------------------------------------------------------ hearing

  listen(known: () => number, listener: GameListener): () => void {
    this.#listener = listener
    const look = (): void =>
      void this.#current().then(
        (state) => {
          if (this.#listener !== listener) return
          const game = this.#show(state)
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
    const level = engineToMove(this.#state)
    if (level === null || !this.#listener) return
    this.#thinking = new AbortController()
    void this.#think(this.#state, level, this.#thinking.signal)
  }

  async #think(state: GameState, level: number, signal: AbortSignal): Promise<void> {
    const { id, start, turns } = state.saved
    let search: Search<unknown> | null = null
    signal.addEventListener('abort', () => search?.stop())
    try {
      await withTabLock(
        `punct.think.${id}`,
        async () => {
          const now = await this.#current()
          if (signal.aborted || now.saved.revision !== state.saved.revision) return
          const task = { start, turns: textsOf(turns) }
          const begun = this.kernels.plays.play(task, level, this.#seed, ({ seconds }) => {
            if (!signal.aborted) this.#tellThinking(state, level, Math.min(1, seconds / LONGEST))
          })
          search = begun
          const { move } = await begun.result
          if (!signal.aborted) await this.#push(move, turns.length, 'engine')
        },
        signal,
      )
    } catch (error) {
      // Another tab was quicker, or nobody wants it any more: the store tells how the game stands.
      if (signal.aborted || (error instanceof ApiError && error.status === 409)) return
      this.#tellThinking(state, level, 0, error)
    }
  }

  #tellThinking({ saved, replayed }: GameState, level: number, progress: number, error: unknown = null): void {
    const colour = replayed.view.turn
    const since = error === null ? saved.updated : new Date().toISOString()
    const code = error === null ? null : error instanceof ApiError ? error.code : 'engine_failed'
    const message = error === null ? null : error instanceof Error ? error.message : String(error)
    this.#listener?.message({
      type: 'thinking',
      ply: replayed.turns.length,
      revision: saved.revision,
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
async function stood(kernel: Kernel, saved: SavedGame): Promise<GameState> {
  try {
    return { saved, replayed: await kernel.game(saved.start, textsOf(saved.turns)) }
  } catch (error) {
    if (error instanceof ApiError && /^(illegal|invalid)_/.test(error.code)) throw brokenGameError()
    throw error
  }
}

function asFile(text: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}
