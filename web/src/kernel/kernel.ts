/**
 * The kernel in the page: the same judge as the server's, in a worker, with the same shapes. What it refuses it refuses
 * with the server's codes, as a `KernelRefusal`.
 */
import type { Board, Colour, Explanation, PositionView, TurnView } from '../api/model'
import { Connection, NO_WEBASSEMBLY, refusal, type WorkerLike } from './connection'

import type { Search as Sought, Task } from './messages'
import type { Played, Proven, Report, SearchOptions } from './wasmKernel'

export { KernelRefusal } from './connection'
export type { Played, Report, SearchOptions, Variation } from './wasmKernel'
export type { Task } from './messages'

/** What shows that no game can lead to a position; or what is wrong with its text. */
export interface Impossible {
  readonly code: string
  readonly spaces: readonly string[]
  readonly values: Readonly<Record<string, string | number>>
}

/** What turns make of a position: a game, as the server tells one. */
export interface ReplayedGame {
  readonly turns: readonly Omit<TurnView, 'at' | 'comment'>[]
  /** How often its position has stood. */
  readonly repetitions: number
  /** Its position; drawn if that has stood too often. */
  readonly view: PositionView
}

/** What the side to move can do against a win of the other. */
export interface Answer {
  /** Whether every turn loses within the turns asked about; null where that is not known. */
  readonly lost: boolean | null
  /** A turn that holds; if all lose, one that resists longest. */
  readonly reply: string | null
  /** If all lose: how many turns the other side still needs after it; 0 if it loses by itself. */
  readonly turns: number
  /** That turn, and if all lose, how it goes on. */
  readonly line: readonly string[]
}

export interface Win {
  /** Whether there is one; null where that is not known. */
  readonly won: boolean | null
  /** The fastest, against the longest resistance. */
  readonly line: readonly string[]
}

/** What a position holds for one player, as if it were that player's turn. */
export interface Prospects {
  /** What joining each of the three pairs of sides still costs; 0 is a connection. */
  readonly distances: readonly number[]
  /** Dots in the central hexagon. */
  readonly centre: number
  /** Pieces left in the set. */
  readonly left: number
  /** Pieces on the board that can move. */
  readonly free: number
  /** Turns that would connect. */
  readonly wins: number
  /** Adding the last piece would end the game with more dots in the central hexagon. */
  readonly last_piece_wins: boolean
}

export type Insight = Readonly<Record<Colour, Prospects>>

/** A search under way. */
export interface Search<T = Report> {
  /** What was found in the end. */
  readonly done: Promise<T>
  /** End it: `done` then has the best so far. */
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
  /** What is impossible about a position; nothing where no such thing was found. */
  status(start: string): Promise<readonly Impossible[]>
  /** The first in the alphabet of the position's twelve images, and the symmetry that leads there. */
  canonical(start: string, turns: readonly string[]): Promise<{ readonly text: string; readonly symmetry: number }>
  /** Search a position; `tell` hears now and then what was found so far. Ends this kernel's search before, if any. */
  search(task: Task, options: SearchOptions, tell?: (report: Report) => void): Search
  /** A turn of one of the eight levels: with the same seed the same as the server's. Ends the search before, too. */
  play(task: Task, level: number, seed: number, tell?: (report: Report) => void): Search<Played>
  /**
   * Whether the side to move loses within so many turns of the other side, whatever it plays, and what it had best
   * play: proved as `punct.analysis.Prover` does, by trying at most so many turns. Ends the search before, too.
   */
  answer(task: Task, within: number, tries: number): Search<Answer>
  /** A win of the side to move within so many turns of its own, whatever is replied. */
  win(task: Task, within: number, tries: number): Search<Win>
  /** What a position holds for each player. */
  insight(start: string, turns: readonly string[]): Promise<Insight>
}

/** The smallest module that adds many numbers at a time, as the network does: browsers since 2023 take it. */
const MODERN = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // WebAssembly
  ...[1, 5, 1, 96, 0, 1, 123], // a type: a function that returns a vector
  ...[3, 2, 1, 0], // a function of that type
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11], // i32.const 0, i8x16.splat, i8x16.popcnt
)

let shared: Connection | undefined

const addressOf = (name: string): string => new URL(import.meta.env.BASE_URL + name, location.href).href

function startWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
}

/**
 * The page's kernel, for one owner: all of them share a worker, which is started with the first question. Of one
 * owner's searches only the newest goes on. Rejects where the browser lacks WebAssembly, or has an old one.
 */
export async function openKernel(): Promise<Kernel> {
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(MODERN))
    throw refusal(NO_WEBASSEMBLY, 'This browser has no WebAssembly, or an old one.')
  shared ??= new Connection(startWorker, { kernel: addressOf(__KERNEL__), network: addressOf(__NETWORK__) })
  return kernelOf(shared)
}

/** A kernel over a connection, for one owner. */
export function kernelOf(connection: Connection): Kernel {
  let newest: { stop(): void } | undefined
  const begin = <T>(search: Sought, tell?: (report: Report) => void): Search<T> => {
    newest?.stop()
    const begun = connection.begin(search, tell)
    newest = begun
    return begun as Search<T>
  }
  const prove = <T>(
    { start, turns }: Task,
    defends: boolean,
    within: number,
    tries: number,
    told: (proven: Proven) => T,
  ): Search<T> => {
    const { done, stop } = begin<Proven>({ ask: 'prove', start, turns, defends, within, tries })
    return { done: done.then(told), stop }
  }
  return {
    board: () => connection.ask({ ask: 'board' }) as Promise<Board>,
    view: (start, turns) => connection.ask({ ask: 'view', start, turns }) as Promise<PositionView>,
    game: (start, turns) => connection.ask({ ask: 'game', start, turns }) as Promise<ReplayedGame>,
    explain: (start, turns, text, anyHeading = false) =>
      connection.ask({ ask: 'explain', start, turns, text, anyHeading }) as Promise<Explanation>,
    status: (start) => connection.ask({ ask: 'status', start }) as Promise<readonly Impossible[]>,
    canonical: (start, turns) =>
      connection.ask({ ask: 'canonical', start, turns }) as Promise<{ text: string; symmetry: number }>,
    search: ({ start, turns }, options, tell) => begin({ ask: 'search', start, turns, options }, tell),
    play: ({ start, turns }, level, seed, tell) => begin({ ask: 'play', start, turns, level, seed }, tell),
    answer: (task, within, tries) =>
      prove(task, true, within, tries, ({ decided, won, turns, line }) => ({
        lost: decided ? won : null,
        reply: line[0] ?? null,
        turns,
        line,
      })),
    win: (task, within, tries) =>
      prove(task, false, within, tries, ({ decided, won, line }) => ({ won: decided ? won : null, line })),
    insight: (start, turns) => connection.ask({ ask: 'insight', start, turns }) as Promise<Insight>,
  }
}
