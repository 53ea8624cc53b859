/** The page's end of the worker: numbers questions, and has them asked again, once, when a worker dies. */
import { ApiError } from '../api/client'
import type { FromWorker, Numbered, Places, Question, Search, ToWorker } from './messages'
import type { Report } from './wasmKernel'

/** What the kernel refuses, as the server would: a text that makes no sense, a turn the rules forbid; or no kernel. */
export class KernelRefusal extends ApiError {}

export const NO_WEBASSEMBLY = 'no-webassembly'
export const NO_KERNEL = 'no-kernel'
export const KERNEL_BROKE = 'kernel-broke'

/** What is used of a worker. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(message: ToWorker): void
  terminate(): void
}

interface Pending {
  readonly message: Numbered
  readonly resolve: (answer: unknown) => void
  readonly reject: (refusal: KernelRefusal) => void
  readonly tell: (report: Report) => void
  again: boolean
  /** It shall end: whoever is asked again is told that, too. */
  stopped: boolean
}

/** A question that was asked: its answer, and how to want it now. */
export interface Asked {
  readonly done: Promise<unknown>
  stop(): void
}

export class Connection {
  readonly #make: () => WorkerLike
  readonly #places: Places
  readonly #pending = new Map<number, Pending>()
  #worker: WorkerLike | undefined
  #last = 0

  /** `make` starts a worker, which fetches the rest from its places. */
  constructor(make: () => WorkerLike, places: Places) {
    this.#make = make
    this.#places = places
  }

  ask(question: Question): Promise<unknown> {
    return this.begin(question).done
  }

  /** Ask what takes its time; `tell` hears on the way what was found so far. */
  begin(question: Question | Search, tell: (report: Report) => void = () => undefined): Asked {
    const message = { id: ++this.#last, ...question }
    const done = new Promise((resolve, reject) => {
      this.#pending.set(message.id, { message, resolve, reject, tell, again: false, stopped: false })
      this.#running().postMessage(message)
    })
    const stop = (): void => {
      const pending = this.#pending.get(message.id)
      if (!pending || pending.stopped) return
      pending.stopped = true
      this.#running().postMessage({ stop: message.id })
    }
    return { done, stop }
  }

  #running(): WorkerLike {
    if (this.#worker) return this.#worker
    const worker = this.#make()
    worker.onmessage = ({ data }): void => {
      if (worker === this.#worker) this.#hear(data)
    }
    worker.onerror = (): void => {
      if (worker === this.#worker) this.#lose(KERNEL_BROKE)
    }
    worker.postMessage({ open: this.#places })
    this.#worker = worker
    return worker
  }

  #hear(message: FromWorker): void {
    if ('dead' in message) {
      this.#lose(message.dead === 'broken' ? KERNEL_BROKE : NO_KERNEL)
      return
    }
    const pending = this.#pending.get(message.id)
    if (!pending) return
    if ('report' in message) {
      pending.tell(message.report)
      return
    }
    this.#pending.delete(message.id)
    if ('answer' in message) pending.resolve(message.answer)
    else pending.reject(refusal(message.refused.code, message.refused.message, message.refused.detail))
  }

  /** The worker is gone: what it owes is asked again of a new one, but nothing twice. */
  #lose(code: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const owed = [...this.#pending.values()]
    for (const pending of owed.filter(({ again }) => again)) {
      this.#pending.delete(pending.message.id)
      pending.reject(refusal(code, 'The kernel cannot be used.'))
    }
    for (const pending of owed.filter(({ again }) => !again)) {
      pending.again = true
      this.#running().postMessage(pending.message)
      if (pending.stopped) this.#running().postMessage({ stop: pending.message.id })
    }
  }
}

export function refusal(code: string, message: string, detail?: Readonly<Record<string, unknown>>): KernelRefusal {
  return new KernelRefusal(422, code, message, detail)
}
