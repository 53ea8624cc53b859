/** The worker's inside: answers requests with the kernel, and searches between them. Knows nothing of workers. */
import type { FromWorker, NumberedRequest, KernelRequest, Search, ToWorker } from './messages'
import { Refusal, type SearchId, type WasmKernel } from './wasmKernel'

/** Seconds of searching between two looks at the message queue. */
const SLICE_SECONDS = 0.025
/** Milliseconds between two reports of a search. */
const REPORT_INTERVAL_MS = 100

/** The error where the network cannot be loaded; a network that the kernel refuses has the kernel's own message. */
const NO_NETWORK = { code: 'no-network', message: 'The network that the engine plays by cannot be loaded.' }

type HostMessage = Exclude<ToWorker, { open: unknown }>

interface RunningSearch {
  readonly searchId: SearchId
  /** Whether it reports interim results: a proof has none. */
  readonly hasReports: boolean
  reportedAt: number
}

export class Host {
  readonly #kernel: WasmKernel
  readonly #post: (message: FromWorker) => void
  readonly #schedule: () => void
  /** By the id of their request; the first is next. */
  readonly #running = new Map<number, RunningSearch>()
  /** Searches that wait for the network, in order, and requests to stop them. */
  #queue: HostMessage[] = []
  #networkState: 'not asked for' | 'on its way' | 'there' = 'not asked for'
  /** Whether `runSlice` is scheduled already: scheduled twice, it would halve the time for everything else. */
  #isScheduled = false

  /**
   * `schedule` has `runSlice` called as soon as waiting messages have been received. `fetchNetwork` has the network
   * fetched and passed to `takeNetwork`: it is large, so only the first search fetches it.
   */
  constructor(
    kernel: WasmKernel,
    post: (message: FromWorker) => void,
    schedule: () => void,
    readonly fetchNetwork: () => void,
  ) {
    this.#kernel = kernel
    this.#post = post
    this.#schedule = schedule
  }

  /** Answer a request, refuse it, or begin a search. If it throws, the kernel broke down and is of no more use. */
  receive(message: HostMessage): void {
    if (this.#mustWait(message)) this.#enqueue(message)
    else if ('stop' in message) this.#end(message.stop)
    else this.#catchRefusal(message.id, () => this.#handle(message))
  }

  /**
   * Take the network's file, or null if it cannot be loaded: then waiting searches fail, and the next fetches it again.
   */
  takeNetwork(bytes: Uint8Array | null): void {
    const queue = this.#queue
    this.#queue = []
    try {
      if (!bytes) throw new Refusal(NO_NETWORK)
      this.#kernel.setNetwork(bytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#networkState = 'not asked for'
      for (const message of queue) if ('id' in message) this.#post({ id: message.id, refused: error.body })
      return
    }
    this.#networkState = 'there'
    for (const message of queue) this.receive(message)
  }

  /** Only searches need the network; a proof tries every move, and the rules need none. */
  #mustWait(message: HostMessage): boolean {
    if (this.#networkState === 'there') return false
    if ('stop' in message) return this.#queue.some((other) => 'id' in other && other.id === message.stop)
    return message.ask === 'search' || message.ask === 'play'
  }

  #enqueue(message: HostMessage): void {
    this.#queue.push(message)
    if (this.#networkState !== 'not asked for') return
    this.#networkState = 'on its way'
    this.fetchNetwork()
  }

  /** Run one slice of the search that has waited longest. */
  runSlice(): void {
    this.#isScheduled = false
    const next = this.#running.entries().next().value
    if (!next) return
    const [id, running] = next
    if (this.#kernel.advance(running.searchId, SLICE_SECONDS)) this.#end(id)
    else {
      this.#running.delete(id)
      this.#running.set(id, running)
      this.#report(id, running)
    }
    this.#scheduleSlice()
  }

  /** Schedule the next slice, if there are searches. */
  #scheduleSlice(): void {
    if (this.#isScheduled || this.#running.size === 0) return
    this.#isScheduled = true
    this.#schedule()
  }

  #handle(message: NumberedRequest): void {
    const { id } = message
    if (message.ask === 'search' || message.ask === 'play' || message.ask === 'prove') {
      const hasReports = message.ask !== 'prove'
      this.#running.set(id, { searchId: this.#start(message), hasReports, reportedAt: performance.now() })
      this.#scheduleSlice()
    } else this.#post({ id, answer: this.#answer(message) })
  }

  #start(search: Search): SearchId {
    const { start, turns } = search
    switch (search.ask) {
      case 'play':
        return this.#kernel.play(start, turns, search.level, search.seed)
      case 'prove':
        return this.#kernel.prove(start, turns, search.defends, search.within, search.tries)
      case 'search':
        return this.#kernel.search(start, turns, search.options)
    }
  }

  #report(id: number, running: RunningSearch): void {
    const now = performance.now()
    if (!running.hasReports || now - running.reportedAt < REPORT_INTERVAL_MS) return
    running.reportedAt = now
    const report = this.#kernel.report(running.searchId)
    if (report.variations.length > 0) this.#post({ id, report })
  }

  #end(id: number): void {
    const running = this.#running.get(id)
    if (!running) return
    this.#running.delete(id)
    this.#catchRefusal(id, () => this.#post({ id, answer: this.#kernel.end(running.searchId) }))
  }

  #catchRefusal(id: number, action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#post({ id, refused: error.body })
    }
  }

  #answer(request: KernelRequest): unknown {
    const kernel = this.#kernel
    switch (request.ask) {
      case 'board':
        return kernel.board()
      case 'view':
        return kernel.view(request.start, request.turns)
      case 'game':
        return kernel.game(request.start, request.turns)
      case 'explain':
        return kernel.explain(request.start, request.turns, request.text, request.anyHeading)
      case 'status':
        return kernel.status(request.start)
      case 'canonical':
        return kernel.canonical(request.start, request.turns)
      case 'insight':
        return kernel.insight(request.start, request.turns)
    }
  }
}
