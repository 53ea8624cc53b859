/**
 * The kernel in the page: the same judge as the server's, in a worker, with the same types. Its errors have the
 * server's codes, as `KernelError`s.
 */
import type { Board, Colour, Explanation, PositionView, TurnView } from '../api/model'
import { Connection, NO_WEBASSEMBLY, kernelError, type WorkerLike } from './connection'

import type { Search as Sought, Task } from './messages'
import type { PlayedMove, ProofResult, Report, SearchOptions } from './wasmKernel'

export { KernelError } from './connection'
export type { PlayedMove, Report, SearchOptions, Variation } from './wasmKernel'
export type { Task } from './messages'

/** Why no game can lead to a position; or what is wrong with its text. */
export interface Impossible {
  readonly code: string
  readonly spaces: readonly string[]
  readonly values: Readonly<Record<string, string | number>>
}

/** A position and moves replayed: a game, as the server sends one. */
export interface ReplayedGame {
  readonly turns: readonly Omit<TurnView, 'at' | 'comment'>[]
  /** How often its position has occurred. */
  readonly repetitions: number
  /** Its position; drawn if that has occurred too often. */
  readonly view: PositionView
}

/** The best defence of the side to move against a win of the other. */
export interface Defence {
  /** Whether every move loses within the given number of moves; null where that is not known. */
  readonly isLost: boolean | null
  /** A move that holds; if all lose, the one that resists longest. */
  readonly reply: string | null
  /** If all lose: how many moves the other side still needs after it; 0 if it loses by itself. */
  readonly turns: number
  /** That move, and if all lose, how the game goes on. */
  readonly line: readonly string[]
}

export interface Win {
  /** Whether there is one; null where that is not known. */
  readonly isWon: boolean | null
  /** The fastest win, against the longest resistance. */
  readonly line: readonly string[]
}

/** What a position offers one player, as if it were that player's turn. */
export interface Prospects {
  /** What joining each of the three pairs of sides still costs; 0 is a connection. */
  readonly distances: readonly number[]
  /** Dots in the central hexagon. */
  readonly centre: number
  /** Pieces left in the set. */
  readonly left: number
  /** Pieces on the board that can move. */
  readonly free: number
  /** Moves that would connect. */
  readonly wins: number
  /** Adding the last piece would end the game with more dots in the central hexagon. */
  readonly last_piece_wins: boolean
}

export type Insight = Readonly<Record<Colour, Prospects>>

/** A running search. */
export interface Search<T = Report> {
  /** The result. */
  readonly result: Promise<T>
  /** End it: `result` then resolves with the best so far. */
  stop(): void
}

export interface Kernel {
  /** As GET /board. */
  board(): Promise<Board>
  /** As POST /positions/view. */
  view(start: string, turns: readonly string[]): Promise<PositionView>
  /** The same with what a game adds to its position. */
  game(start: string, turns: readonly string[]): Promise<ReplayedGame>
  /** As POST /positions/explain. */
  explain(start: string, turns: readonly string[], text: string, anyHeading?: boolean): Promise<Explanation>
  /** What is impossible about a position; empty where nothing is. */
  status(start: string): Promise<readonly Impossible[]>
  /** The first in the alphabet of the position's twelve images, and the symmetry that leads there. */
  canonical(start: string, turns: readonly string[]): Promise<{ readonly text: string; readonly symmetry: number }>
  /** Search a position; `onReport` gets interim results. Ends this kernel's previous search, if any. */
  search(task: Task, options: SearchOptions, onReport?: (report: Report) => void): Search
  /**
   * The move of one of the eight levels: with the same seed the same as the server's. Ends the previous search, too.
   */
  play(task: Task, level: number, seed: number, onReport?: (report: Report) => void): Search<PlayedMove>
  /**
   * Prove whether the side to move loses within so many moves of the other side, and find its best defence, as
   * `punct.analysis.Prover` does, by trying at most so many moves. Ends the previous search, too.
   */
  defend(task: Task, maxMoves: number, maxTries: number): Search<Defence>
  /** Prove a win of the side to move within so many moves of its own, whatever is replied. */
  win(task: Task, maxMoves: number, maxTries: number): Search<Win>
  /** What a position offers each player. */
  insight(start: string, turns: readonly string[]): Promise<Insight>
}

/** The smallest module with the vector instructions that the network needs: browsers since 2023 accept it. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // WebAssembly
  ...[1, 5, 1, 96, 0, 1, 123], // a type: a function that returns a vector
  ...[3, 2, 1, 0], // a function of that type
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11], // i32.const 0, i8x16.splat, i8x16.popcnt
)

let shared: Connection | undefined

const urlOf = (name: string): string => new URL(import.meta.env.BASE_URL + name, location.href).href

function startWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
}

/**
 * Open the page's kernel, for one owner: all owners share a worker, which is started with the first request. Of one
 * owner's searches only the newest runs. Rejects where the browser lacks WebAssembly, or has an old one.
 */
export async function openKernel(): Promise<Kernel> {
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(SIMD_PROBE))
    throw kernelError(NO_WEBASSEMBLY, 'This browser has no WebAssembly, or an old one.')
  shared ??= new Connection(startWorker, { kernel: urlOf(__KERNEL__), network: urlOf(__NETWORK__) })
  return kernelOf(shared)
}

/** A kernel over a connection, for one owner. */
export function kernelOf(connection: Connection): Kernel {
  let newest: { stop(): void } | undefined
  const begin = <T>(search: Sought, onReport?: (report: Report) => void): Search<T> => {
    newest?.stop()
    const current = connection.begin(search, onReport)
    newest = current
    return current as Search<T>
  }
  const prove = <T>(
    { start, turns }: Task,
    defends: boolean,
    within: number,
    tries: number,
    convert: (proven: ProofResult) => T,
  ): Search<T> => {
    const { result, stop } = begin<ProofResult>({ ask: 'prove', start, turns, defends, within, tries })
    return { result: result.then(convert), stop }
  }
  return {
    board: () => connection.send({ ask: 'board' }) as Promise<Board>,
    view: (start, turns) => connection.send({ ask: 'view', start, turns }) as Promise<PositionView>,
    game: (start, turns) => connection.send({ ask: 'game', start, turns }) as Promise<ReplayedGame>,
    explain: (start, turns, text, anyHeading = false) =>
      connection.send({ ask: 'explain', start, turns, text, anyHeading }) as Promise<Explanation>,
    status: (start) => connection.send({ ask: 'status', start }) as Promise<readonly Impossible[]>,
    canonical: (start, turns) =>
      connection.send({ ask: 'canonical', start, turns }) as Promise<{ text: string; symmetry: number }>,
    search: ({ start, turns }, options, onReport) => begin({ ask: 'search', start, turns, options }, onReport),
    play: ({ start, turns }, level, seed, onReport) => begin({ ask: 'play', start, turns, level, seed }, onReport),
    defend: (task, maxMoves, maxTries) =>
      prove(task, true, maxMoves, maxTries, ({ decided, won, turns, line }) => ({
        isLost: decided ? won : null,
        reply: line[0] ?? null,
        turns,
        line,
      })),
    win: (task, maxMoves, maxTries) =>
      prove(task, false, maxMoves, maxTries, ({ decided, won, line }) => ({ isWon: decided ? won : null, line })),
    insight: (start, turns) => connection.send({ ask: 'insight', start, turns }) as Promise<Insight>,
  }
}
