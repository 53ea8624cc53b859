/** The kernel as it is compiled: one question after the other, in texts, answered in JSON. Knows no worker, no page. */

/** What the kernel exports; see kernel/wasm/interface.cpp. */
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

/** A search under way: its number with the kernel. */
export type SearchId = number

/** What a search has found. */
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
  /** The turns expected, this one first. */
  readonly pv: readonly string[]
}

/** What a level plays, with what it found. */
export interface Played extends Report {
  readonly move: string
}

/** What a proof has come to. */
export interface Proven {
  /** Whether it was enough to know. */
  readonly decided: boolean
  /** The side that attacks wins within the turns asked about, whatever is replied. */
  readonly won: boolean
  /** Of the side that attacks, still needed after the defender's best turn, if that was asked for. */
  readonly turns: number
  /** How it goes: the fastest win, against the longest resistance; of a defence that holds, its first turn. */
  readonly line: readonly string[]
}

/** Whichever limit comes first; one is needed. */
export interface SearchOptions {
  readonly nodes?: number
  readonly seconds?: number
  /** How many variations are told. */
  readonly variations?: number
  readonly seed?: number
  /** As if it were the other's turn. */
  readonly threat?: boolean
}

/** Chances travel as whole numbers, so that none is rounded. */
const CERTAIN = 2 ** 60

interface Told {
  readonly move?: string
  readonly nodes: number
  readonly depth: number
  readonly microseconds: number
  readonly variations: readonly Variation[]
}

function read({ microseconds, variations, ...told }: Told): Report {
  return {
    ...told,
    seconds: microseconds / 1e6,
    variations: variations.map((variation) => ({ ...variation, score: variation.score / CERTAIN })),
  }
}

/** What it refuses, in the server's shape. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Thrown for what the kernel refuses: the question makes no sense, or the rules forbid it. */
export class Refusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.message)
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

  /** Set up from the compiled module. It needs a clock, and somewhere to complain when it breaks down. */
  static async open(module: WebAssembly.Module): Promise<WasmKernel> {
    const opened: { exports?: Exports } = {}
    const system: Record<string, (...args: never[]) => number> = {
      clock_time_get: (_clock: number, _precision: bigint, at: number): number => {
        const { buffer } = (opened.exports as Exports).memory
        new DataView(buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true)
        return 0
      },
      proc_exit: (code: number): number => {
        throw new Error(`the kernel gave up (${code})`)
      },
    }
    // Of the system's other calls none is ever needed; where the library asks, it is told that there is no such thing.
    const wasi: Record<string, (...args: never[]) => number> = {}
    for (const { name } of WebAssembly.Module.imports(module)) wasi[name] = system[name] ?? (() => BAD_DESCRIPTOR)
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi })
    const exports = instance.exports as unknown as Exports
    opened.exports = exports
    exports._initialize()
    return new WasmKernel(exports)
  }

  board(): unknown {
    return this.#told(this.#exports.punct_board())
  }

  view(start: string, turns: readonly string[]): unknown {
    return this.#told(this.#exports.punct_view(this.#put([start, ...turns])))
  }

  game(start: string, turns: readonly string[]): unknown {
    return this.#told(this.#exports.punct_game(this.#put([start, ...turns])))
  }

  explain(start: string, turns: readonly string[], text: string, anyHeading: boolean): unknown {
    return this.#told(this.#exports.punct_explain(this.#put([text, start, ...turns]), anyHeading ? 1 : 0))
  }

  status(start: string): unknown {
    return this.#told(this.#exports.punct_status(this.#put([start])))
  }

  canonical(start: string, turns: readonly string[]): unknown {
    return this.#told(this.#exports.punct_canonical(this.#put([start, ...turns])))
  }

  insight(start: string, turns: readonly string[]): unknown {
    return this.#told(this.#exports.punct_insight(this.#put([start, ...turns])))
  }

  /** Have all searches from now on play by a network; without one, none is begun. Refused if it is damaged. */
  playBy(network: Uint8Array): void {
    this.#told(this.#exports.punct_network(this.#lay(network)))
  }

  /** How many ways the game can go on: for tests. */
  perft(start: string, depth: number): unknown {
    return this.#told(this.#exports.punct_perft(this.#put([start]), depth))
  }

  /** Begin a search; it goes on with `advance`, and must be ended. */
  search(start: string, turns: readonly string[], options: SearchOptions): SearchId {
    const { nodes = 0, seconds = 0, variations = 1, seed = 0, threat = false } = options
    const length = this.#put([start, ...turns])
    return this.#told(this.#exports.punct_search(length, nodes, seconds, variations, seed, threat ? 1 : 0)) as SearchId
  }

  /** The same for a turn of one of the levels. */
  play(start: string, turns: readonly string[], level: number, seed: number): SearchId {
    return this.#told(this.#exports.punct_play(this.#put([start, ...turns]), level, seed)) as SearchId
  }

  /** The same for a proof that the side to move wins within so many turns; or loses within so many of the other's. */
  prove(start: string, turns: readonly string[], defends: boolean, within: number, tries: number): SearchId {
    const length = this.#put([start, ...turns])
    return this.#told(this.#exports.punct_prove(length, defends ? 1 : 0, within, tries)) as SearchId
  }

  /** Go on for about so many seconds; true when it is over. */
  advance(search: SearchId, seconds: number): boolean {
    return this.#exports.punct_advance(search, seconds) === 1
  }

  report(search: SearchId): Report {
    return read(this.#told(this.#exports.punct_report(search)) as Told)
  }

  /** The best that was found; of a level also the `move` it plays. */
  end(search: SearchId): Report | Proven {
    const told = this.#told(this.#exports.punct_end(search)) as Told | Proven
    return 'decided' in told ? told : read(told)
  }

  /** Lay out texts where the kernel reads them, each with a zero byte after it; returns their length. */
  #put(texts: readonly string[]): number {
    return this.#lay(this.#encoder.encode(texts.map((text) => text.replaceAll('\0', '\uFFFD') + '\0').join('')))
  }

  #lay(bytes: Uint8Array): number {
    const room = this.#exports.punct_room(bytes.length)
    new Uint8Array(this.#exports.memory.buffer, room, bytes.length).set(bytes)
    return bytes.length
  }

  #told(length: number): unknown {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.punct_answer(), length)
    const told: unknown = JSON.parse(this.#decoder.decode(bytes))
    const refused = (told as { readonly error?: Refused } | null)?.error
    if (refused) throw new Refusal(refused)
    return told
  }
}
