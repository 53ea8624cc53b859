/**
 * One game of this browser, for the game page: judged by the kernel in the page, stored before subscribers get it. The
 * computer thinks in one tab at a time, and only while the game is open.
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
const MAX_THINKING_SECONDS = 1

/** One kernel for moves, one for hints: neither ends the other's search. */
export interface Kernels {
  readonly moves: Kernel
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
    readonly begin: (options: Partial<NewGame>) => Promise<string>,
    state: GameState,
  ) {
    this.#state = state
    this.game = gameOf(state)
    const { id } = this.game
    this.reviews = {
      load: async () => {
        const review = await store.review(id)
        return review && isReviewOf(review, textsOf(this.#state.saved.turns)) ? review : null
      },
      save: (nodes, { start, turns }) => store.saveReview({ id, nodes, start, turns: [...turns] }),
    }
    this.links = {
      page: `/local/${id}`,
      shared: false,
      analysis: `/analysis?local=${id}`,
      review: `/local/${id}/review`,
      record: (format) => (format === 'text' ? dataUrl(recordOf(this.#state.saved)) : null),
      picture: () => null,
      animation: () => null,
    }
  }

  static async open(
    store: GameStore,
    kernels: Kernels,
    begin: (options: Partial<NewGame>) => Promise<string>,
    saved: SavedGame,
  ): Promise<LocalGame> {
    return new LocalGame(store, kernels, begin, await replaySaved(kernels.moves, saved))
  }

  // ------------------------------------------------------------------ looking

  position(ply: number): Promise<PositionView> {
    const { start, turns } = this.#state.saved
    return this.kernels.moves.view(start, textsOf(turns.slice(0, ply)))
  }

  explain(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#state.saved
    return this.kernels.moves.explain(start, textsOf(turns.slice(0, ply)), text)
  }

  explainTap(text: string, ply: number): Promise<Explanation> {
    const { start, turns } = this.#state.saved
    return this.kernels.moves.explain(start, textsOf(turns.slice(0, ply)), text, true)
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
  undo = (ply: number): Promise<Game> =>
    this.#change((state, time) => undoMoves(state, ply, this.kernels.moves.game, time))
  redo = (ply: number): Promise<Game> =>
    this.#change((state, time) => redoMoves(state, ply, this.kernels.moves.game, time))
  resign = (colour: Colour): Promise<Game> => this.#change(async (state, time) => resignGame(state, colour, time))
  draw = (): Promise<Game> => this.#change(async (state, time) => drawGame(state, time))

  #push(text: string, ply: number, by: 'person' | 'engine'): Promise<Game> {
    return this.#change((state, time) => playMove(state, text, ply, by, this.kernels.moves.game, time))
  }

  /**
   * Make one change: judged, stored, and only then published. What the game does not allow fails with its present
   * state.
   */
  async #change(apply: (state: GameState, time: string) => Promise<GameState>): Promise<Game> {
    const before = await this.#current()
    try {
      const after = await apply(before, new Date().toISOString())
      if (after !== before) await this.store.change(after.saved, before.saved.revision)
      return this.#update(after)
    } catch (error) {
      if (error instanceof RevisionConflict) {
        const game = this.#update(await this.#current())
        throw new ApiError(409, 'wrong_ply', 'The game was changed elsewhere in the meantime.', { game })
      }
      if (error instanceof ApiError && error.status === 409) {
        throw new ApiError(409, error.code, error.message, { ...error.detail, game: gameOf(before) })
      }
      throw error
    }
  }

  /** The game as stored now, whichever tab has changed it. */
  async #current(): Promise<GameState> {
    const stored = await this.store.get(this.game.id)
    if (!stored) {
      this.#listener?.message({ type: 'gone', reason: 'deleted' })
      throw new ApiError(404, 'unknown_game', 'There is no such game.')
    }
    if (isUploaded(stored)) {
      this.#listener?.uploaded(stored.handed)
      throw new ApiError(409, 'wrong_ply', 'The server keeps this game now.')
    }
    const { saved } = this.#state
    return stored.revision === saved.revision ? this.#state : replaySaved(this.kernels.moves, stored)
  }

  #update(state: GameState): Game {
    if (state.saved.revision >= this.#state.saved.revision) {
      const isSameRevision = state.saved.revision === this.#state.saved.revision
      this.#state = state
      if (!isSameRevision) this.#thinkIfEngine()
    }
    return gameOf(state)
  }

  // ------------------------------------------------------------------ hearing

  listen(revision: () => number, listener: GameListener): () => void {
    this.#listener = listener
    const refresh = (): void =>
      void this.#current().then(
        (state) => {
          if (this.#listener !== listener) return
          const game = this.#update(state)
          if (game.revision > revision()) listener.message({ type: 'game', game })
        },
        // It is deleted or uploaded, which was published; a damaged game fails the next request.
        () => undefined,
      )
    const unsubscribe = this.store.subscribe((id) => id === this.game.id && refresh())
    refresh()
    this.#thinkIfEngine()
    return () => {
      unsubscribe()
      this.#listener = null
      this.#thinking?.abort()
    }
  }

  // ------------------------------------------------------------------ the computer

  /** Every game has its own, so that no two are alike. */
  get #seed(): number {
    return Number.parseInt(this.game.id.slice(0, 8), 16)
  }

  /** Think if the computer is to move; an earlier search is aborted. */
  #thinkIfEngine(): void {
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
          const current = await this.#current()
          if (signal.aborted || current.saved.revision !== state.saved.revision) return
          const task = { start, turns: textsOf(turns) }
          const moveSearch = this.kernels.moves.play(task, level, this.#seed, ({ seconds }) => {
            if (!signal.aborted) this.#publishThinking(state, level, Math.min(1, seconds / MAX_THINKING_SECONDS))
          })
          search = moveSearch
          const { move } = await moveSearch.result
          if (!signal.aborted) await this.#push(move, turns.length, 'engine')
        },
        signal,
      )
    } catch (error) {
      // Another tab was quicker, or the search was aborted: the store publishes the game.
      if (signal.aborted || (error instanceof ApiError && error.status === 409)) return
      this.#publishThinking(state, level, 0, error)
    }
  }

  #publishThinking({ saved, replayed }: GameState, level: number, progress: number, error: unknown = null): void {
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

/** Replay a stored game; one that the kernel refuses is damaged. */
async function replaySaved(kernel: Kernel, saved: SavedGame): Promise<GameState> {
  try {
    return { saved, replayed: await kernel.game(saved.start, textsOf(saved.turns)) }
  } catch (error) {
    if (error instanceof ApiError && /^(illegal|invalid)_/.test(error.code)) throw brokenGameError()
    throw error
  }
}

function dataUrl(text: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}
