/** The compiled kernel: one request after the other, as texts, answered in JSON. Knows no worker, no page. */

/** The kernel's exports; see kernel/wasm/interface.cpp. */
interface Exports {
  readonly memory: WebAssembly.Memory
  _initialize(): void
  punct_room(length: number): number
  punct_answer(): number
  punct_board(): number
  punct_view(length: number): number
  punct_game(length: number): number
  punct_explain(length: number, anyHeading: number): number
  punct_status(length: number): number
  punct_canonical(length: number): number
  punct_perft(length: number, depth: number): number
  punct_search(length: number, nodes: number, seconds: number, variations: number, seed: number, threat: number): number
  punct_play(length: number, level: number, seed: number): number
  punct_prove(length: number, defends: number, turns: number, tries: number): number
  punct_advance(search: number, seconds: number): number
  punct_report(search: number): number
  punct_end(search: number): number
  punct_insight(length: number): number
  punct_network(length: number): number
}

/** The kernel's number of a running search. */
export type SearchId = number

/** The result of a search, so far or in the end. */
export interface Report {
  readonly nodes: number
  readonly depth: number
  readonly seconds: number
  /** The best first. */
  readonly variations: readonly Variation[]
}

export interface Variation {
  readonly move: string
  /** The winning chance of the side to move, 0 to 1. */
  readonly score: number
  /** 0 while open; n: the side to move wins in n plies; -n: it loses in n plies, however it plays. */
  readonly proven: number
  readonly visits: number
  /** The principal variation, this move first. */
  readonly pv: readonly string[]
}

/** The move that a level plays, with its search's report. */
export interface PlayedMove extends Report {
  readonly move: string
}

/** The result of a proof. */
export interface ProofResult {
  /** Whether the tries were enough to decide. */
  readonly decided: boolean
  /** The attacker wins within the given number of moves, whatever is replied. */
  readonly won: boolean
  /** Moves that the attacker still needs after the best defence, if that was requested. */
  readonly turns: number
  /** The fastest win, against the longest resistance; of a defence that holds, its first move. */
  readonly line: readonly string[]
}

/** Limits of a search, whichever comes first; one is needed. */
export interface SearchOptions {
  readonly nodes?: number
  readonly seconds?: number
  /** How many variations are reported. */
  readonly variations?: number
  readonly seed?: number
  /** Search as if it were the other side's turn. */
  readonly threat?: boolean
}

/** Scores are integers in the kernel's JSON, so that none is rounded: this is 1. */
const SCORE_SCALE = 2 ** 60

interface RawReport {
  readonly move?: string
  readonly nodes: number
  readonly depth: number
  readonly microseconds: number
  readonly variations: readonly Variation[]
}

function parseReport({ microseconds, variations, ...report }: RawReport): Report {
  return {
    ...report,
    seconds: microseconds / 1e6,
    variations: variations.map((variation) => ({ ...variation, score: variation.score / SCORE_SCALE })),
  }
}

/** An error of the kernel, as the server would send it. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Thrown for the kernel's errors: an invalid request, or an illegal move. */
export class Refusal extends Error {
  constructor(readonly body: ErrorBody) {
    super(body.message)
  }
}

const BAD_DESCRIPTOR = 8

export class WasmKernel {
  readonly #exports: Exports
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder()

  private constructor(exports: Exports) {
    this.#exports = exports
  }

  /** Set up the kernel from the compiled module. It needs a clock, and a way to report a crash. */
  static async open(module: WebAssembly.Module): Promise<WasmKernel> {
    const holder: { exports?: Exports } = {}
    const system: Record<string, (...args: never[]) => number> = {
      clock_time_get: (_clock: number, _precision: bigint, address: number): number => {
        const { buffer } = (holder.exports as Exports).memory
        new DataView(buffer).setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true)
        return 0
      },
      proc_exit: (code: number): number => {
        throw new Error(`the kernel gave up (${code})`)
      },
    }
    // No other system call is ever needed; where the library tries one, it gets an error code.
    const wasi: Record<string, (...args: never[]) => number> = {}
    for (const { name } of WebAssembly.Module.imports(module)) wasi[name] = system[name] ?? (() => BAD_DESCRIPTOR)
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi })
    const exports = instance.exports as unknown as Exports
    holder.exports = exports
    exports._initialize()
    return new WasmKernel(exports)
  }

  board(): unknown {
    return this.#readResult(this.#exports.punct_board())
  }

  view(start: string, turns: readonly string[]): unknown {
    return this.#readResult(this.#exports.punct_view(this.#writeTexts([start, ...turns])))
  }

  game(start: string, turns: readonly string[]): unknown {
    return this.#readResult(this.#exports.punct_game(this.#writeTexts([start, ...turns])))
  }

  explain(start: string, turns: readonly string[], text: string, anyHeading: boolean): unknown {
    return this.#readResult(this.#exports.punct_explain(this.#writeTexts([text, start, ...turns]), anyHeading ? 1 : 0))
  }

  status(start: string): unknown {
    return this.#readResult(this.#exports.punct_status(this.#writeTexts([start])))
  }

  canonical(start: string, turns: readonly string[]): unknown {
    return this.#readResult(this.#exports.punct_canonical(this.#writeTexts([start, ...turns])))
  }

  insight(start: string, turns: readonly string[]): unknown {
    return this.#readResult(this.#exports.punct_insight(this.#writeTexts([start, ...turns])))
  }

  /** Set the network of all searches from now on; without one, none can begin. A damaged one is refused. */
  setNetwork(network: Uint8Array): void {
    this.#readResult(this.#exports.punct_network(this.#writeBytes(network)))
  }

  /** Count the variations of a depth: for tests. */
  perft(start: string, depth: number): unknown {
    return this.#readResult(this.#exports.punct_perft(this.#writeTexts([start]), depth))
  }

  /** Begin a search; it runs in `advance`, and must be ended. */
  search(start: string, turns: readonly string[], options: SearchOptions): SearchId {
    const { nodes = 0, seconds = 0, variations = 1, seed = 0, threat = false } = options
    const length = this.#writeTexts([start, ...turns])
    return this.#readResult(
      this.#exports.punct_search(length, nodes, seconds, variations, seed, threat ? 1 : 0),
    ) as SearchId
  }

  /** The same for a move of one of the levels. */
  play(start: string, turns: readonly string[], level: number, seed: number): SearchId {
    return this.#readResult(this.#exports.punct_play(this.#writeTexts([start, ...turns]), level, seed)) as SearchId
  }

  /** The same for a proof that the side to move wins within so many moves; or loses within so many of the other's. */
  prove(start: string, turns: readonly string[], defends: boolean, maxMoves: number, maxTries: number): SearchId {
    const length = this.#writeTexts([start, ...turns])
    return this.#readResult(this.#exports.punct_prove(length, defends ? 1 : 0, maxMoves, maxTries)) as SearchId
  }

  /** Run for about so many seconds; returns whether the search is over. */
  advance(search: SearchId, seconds: number): boolean {
    return this.#exports.punct_advance(search, seconds) === 1
  }

  report(search: SearchId): Report {
    return parseReport(this.#readResult(this.#exports.punct_report(search)) as RawReport)
  }

  /** End a search and return the best that was found; of a level also the `move` it plays. */
  end(search: SearchId): Report | ProofResult {
    const result = this.#readResult(this.#exports.punct_end(search)) as RawReport | ProofResult
    return 'decided' in result ? result : parseReport(result)
  }

  /** Write texts where the kernel reads them, each with a zero byte after it; returns their length. */
  #writeTexts(texts: readonly string[]): number {
    return this.#writeBytes(this.#encoder.encode(texts.map((text) => text.replaceAll('\0', '\uFFFD') + '\0').join('')))
  }

  #writeBytes(bytes: Uint8Array): number {
    const address = this.#exports.punct_room(bytes.length)
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes)
    return bytes.length
  }

  #readResult(length: number): unknown {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.punct_answer(), length)
    const result: unknown = JSON.parse(this.#decoder.decode(bytes))
    const error = (result as { readonly error?: ErrorBody } | null)?.error
    if (error) throw new Refusal(error)
    return result
  }
}
