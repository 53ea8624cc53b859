/** The worker's inside: answers questions with the kernel, and searches between them. Knows nothing of workers. */
import type { FromWorker, Numbered, Question, Search, ToWorker } from './messages'
import { Refusal, type SearchId, type WasmKernel } from './wasmKernel'

/** Seconds of searching between two looks at what else is asked. */
const SLICE = 0.025
/** Milliseconds between two reports of a search. */
const REPORT = 100

/** What is told where the network cannot be had; one that the kernel does not take is refused in its own words. */
export const NO_NETWORK = { code: 'no-network', message: 'The network that the engine plays by cannot be loaded.' }

type Told = Exclude<ToWorker, { open: unknown }>

interface Running {
  readonly under: SearchId
  /** A proof has nothing to tell before its end. */
  readonly tells: boolean
  told: number
}

export class Host {
  readonly #exchange: WasmKernel
  readonly #post: (message: FromWorker) => void
  readonly #later: () => void
  /** By the number of their question, whose turn it is first. */
  readonly #running = new Map<number, Running>()
  /** Searches that wait for the network, in the order they came, and what was said of them meanwhile. */
  #waiting: Told[] = []
  #network: 'not asked for' | 'on its way' | 'there' = 'not asked for'
  /** Whether `goOn` will be called anyway: two calls going round would halve the time for everything else. */
  #rung = false

  /**
   * `later` has `goOn` called as soon as waiting messages have been received. `fetchNetwork` has the network fetched,
   * and given with `takeNetwork`: it is large, so only the first search asks for it.
   */
  constructor(
    exchange: WasmKernel,
    post: (message: FromWorker) => void,
    later: () => void,
    readonly fetchNetwork: () => void,
  ) {
    this.#exchange = exchange
    this.#post = post
    this.#later = later
  }

  /** Answer, refuse, or begin a search. What it throws means that the kernel broke down and is of no more use. */
  receive(message: Told): void {
    if (this.#mustWait(message)) this.#wait(message)
    else if ('stop' in message) this.#end(message.stop)
    else this.#refusing(message.id, () => this.#take(message))
  }

  /** The network's file, or that it cannot be had: then who waits is told, and the next search asks for it again. */
  takeNetwork(bytes: Uint8Array | null): void {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      if (!bytes) throw new Refusal(NO_NETWORK)
      this.#exchange.playBy(bytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#network = 'not asked for'
      for (const message of waiting) if ('id' in message) this.#post({ id: message.id, refused: error.refused })
      return
    }
    this.#network = 'there'
    for (const message of waiting) this.receive(message)
  }

  /** Only searches play by the network; a proof looks at every turn, and the rules need none. */
  #mustWait(message: Told): boolean {
    if (this.#network === 'there') return false
    if ('stop' in message) return this.#waiting.some((other) => 'id' in other && other.id === message.stop)
    return message.ask === 'search' || message.ask === 'play'
  }

  #wait(message: Told): void {
    this.#waiting.push(message)
    if (this.#network !== 'not asked for') return
    this.#network = 'on its way'
    this.fetchNetwork()
  }

  /** One slice of the search that has waited longest. */
  goOn(): void {
    this.#rung = false
    const next = this.#running.entries().next().value
    if (!next) return
    const [id, running] = next
    if (this.#exchange.advance(running.under, SLICE)) this.#end(id)
    else {
      this.#running.delete(id)
      this.#running.set(id, running)
      this.#tell(id, running)
    }
    this.#ring()
  }

  /** Have the searches go on, if there are any. */
  #ring(): void {
    if (this.#rung || this.#running.size === 0) return
    this.#rung = true
    this.#later()
  }

  #take(message: Numbered): void {
    const { id } = message
    if (message.ask === 'search' || message.ask === 'play' || message.ask === 'prove') {
      const tells = message.ask !== 'prove'
      this.#running.set(id, { under: this.#begin(message), tells, told: performance.now() })
      this.#ring()
    } else this.#post({ id, answer: this.#answer(message) })
  }

  #begin(search: Search): SearchId {
    const { start, turns } = search
    switch (search.ask) {
      case 'play':
        return this.#exchange.play(start, turns, search.level, search.seed)
      case 'prove':
        return this.#exchange.prove(start, turns, search.defends, search.within, search.tries)
      case 'search':
        return this.#exchange.search(start, turns, search.options)
    }
  }

  #tell(id: number, running: Running): void {
    const now = performance.now()
    if (!running.tells || now - running.told < REPORT) return
    running.told = now
    const report = this.#exchange.report(running.under)
    if (report.variations.length > 0) this.#post({ id, report })
  }

  #end(id: number): void {
    const running = this.#running.get(id)
    if (!running) return
    this.#running.delete(id)
    this.#refusing(id, () => this.#post({ id, answer: this.#exchange.end(running.under) }))
  }

  #refusing(id: number, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#post({ id, refused: error.refused })
    }
  }

  #answer(question: Question): unknown {
    const kernel = this.#exchange
    switch (question.ask) {
      case 'board':
        return kernel.board()
      case 'view':
        return kernel.view(question.start, question.turns)
      case 'game':
        return kernel.game(question.start, question.turns)
      case 'explain':
        return kernel.explain(question.start, question.turns, question.text, question.anyHeading)
      case 'status':
        return kernel.status(question.start)
      case 'canonical':
        return kernel.canonical(question.start, question.turns)
      case 'insight':
        return kernel.insight(question.start, question.turns)
    }
  }
}
