/** Judges of moves: the server; and where it cannot be reached, or there is none, the kernel in the page. */
import { untrack } from 'svelte'
import { api, ApiError, OFFLINE } from '../api/client'
import { isOffline } from '../api/connection.svelte'
import type { Board, Explanation, PositionView } from '../api/model'
import type { Kernel } from '../kernel/kernel'
import { loadKernel } from '../kernel/lazy'

export interface Judge {
  view(start: string, turns: readonly string[]): Promise<PositionView>
  /** Why a piece may not go to a space, with any heading. */
  explainTap(start: string, turns: readonly string[], tap: string): Promise<Explanation>
}

/** A judge that also knows a game's history: a position that occurs for the third time ends it. */
export interface GameJudge extends Judge {
  game(start: string, turns: readonly string[]): Promise<PositionView>
}

/** Whether a request failed because there is no connection. */
export function isOfflineError(error: unknown): boolean {
  return error instanceof ApiError && error.code === OFFLINE
}

/** Ask the server; if it cannot be reached, the kernel. */
export async function askServerOrKernel<T>(
  server: () => Promise<T>,
  kernel: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  // Untracked: an effect that asks must not run again whenever the connection changes.
  if (!untrack(isOffline)) {
    try {
      return await server()
    } catch (error) {
      if (!isOfflineError(error)) throw error
    }
  }
  return kernel(await loadKernel())
}

/** A judge by the kernel alone: where it is running anyway. */
export function kernelJudge(kernel: Kernel): GameJudge {
  return {
    view: (start, turns) => kernel.view(start, turns),
    game: async (start, turns) => (await kernel.game(start, turns)).view,
    explainTap: (start, turns, tap) => kernel.explain(start, turns, tap, true),
  }
}

export const serverOrKernel: GameJudge & { board(): Promise<Board> } = {
  board: () =>
    askServerOrKernel(
      () => api.board(),
      (kernel) => kernel.board(),
    ),
  view: (start, turns) =>
    askServerOrKernel(
      () => api.view(start, turns),
      (kernel) => kernel.view(start, turns),
    ),
  // The server knows only the games it stores.
  game: async (start, turns) => kernelJudge(await loadKernel()).game(start, turns),
  explainTap: (start, turns, tap) =>
    askServerOrKernel(
      () => api.explainTapAt(start, turns, tap),
      (kernel) => kernel.explain(start, turns, tap, true),
    ),
}
