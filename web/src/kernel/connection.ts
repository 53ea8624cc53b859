/** The page's end of the worker: numbers requests, and sends them again, once, when a worker dies. */
import { ApiError } from '../api/client'
import type { FromWorker, NumberedRequest, KernelUrls, KernelRequest, Search, ToWorker } from './messages'
import type { Report } from './wasmKernel'

/** An error of the kernel, as the server would send it: an invalid text, an illegal move; or no kernel. */
export class KernelError extends ApiError {}

export const NO_WEBASSEMBLY = 'no-webassembly'
const NO_KERNEL = 'no-kernel'
const KERNEL_BROKE = 'kernel-broke'

/** The part of a worker that is used. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(message: ToWorker): void
  terminate(): void
}

interface Pending {
  readonly message: NumberedRequest
  readonly resolve: (result: unknown) => void
  readonly reject: (error: KernelError) => void
  readonly onReport: (report: Report) => void
  isRetried: boolean
  /** It was stopped: a new worker is told that, too. */
  isStopped: boolean
}

/** A request on its way: its result, and how to end it early. */
export interface RunningRequest {
  readonly result: Promise<unknown>
  stop(): void
}

export class Connection {
  readonly #startWorker: () => WorkerLike
  readonly #urls: KernelUrls
  readonly #pending = new Map<number, Pending>()
  #worker: WorkerLike | undefined
  #lastId = 0

  /** `startWorker` starts a worker, which loads kernel and network from `urls`. */
  constructor(startWorker: () => WorkerLike, urls: KernelUrls) {
    this.#startWorker = startWorker
    this.#urls = urls
  }

  send(request: KernelRequest): Promise<unknown> {
    return this.begin(request).result
  }

  /** Send a request that may take long; `onReport` gets interim results. */
  begin(request: KernelRequest | Search, onReport: (report: Report) => void = () => undefined): RunningRequest {
    const message = { id: ++this.#lastId, ...request }
    const result = new Promise((resolve, reject) => {
      this.#pending.set(message.id, { message, resolve, reject, onReport, isRetried: false, isStopped: false })
      this.#currentWorker().postMessage(message)
    })
    const stop = (): void => {
      const pending = this.#pending.get(message.id)
      if (!pending || pending.isStopped) return
      pending.isStopped = true
      this.#currentWorker().postMessage({ stop: message.id })
    }
    return { result, stop }
  }

  #currentWorker(): WorkerLike {
    if (this.#worker) return this.#worker
    const worker = this.#startWorker()
    worker.onmessage = ({ data }): void => {
      if (worker === this.#worker) this.#receive(data)
    }
    worker.onerror = (): void => {
      if (worker === this.#worker) this.#restart(KERNEL_BROKE)
    }
    worker.postMessage({ open: this.#urls })
    this.#worker = worker
    return worker
  }

  #receive(message: FromWorker): void {
    if ('dead' in message) {
      this.#restart(message.dead === 'broken' ? KERNEL_BROKE : NO_KERNEL)
      return
    }
    const pending = this.#pending.get(message.id)
    if (!pending) return
    if ('report' in message) {
      pending.onReport(message.report)
      return
    }
    this.#pending.delete(message.id)
    if ('answer' in message) pending.resolve(message.answer)
    else pending.reject(kernelError(message.refused.code, message.refused.message, message.refused.detail))
  }

  /** Replace a dead worker: its requests are sent again to a new one, but none twice. */
  #restart(code: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const unanswered = [...this.#pending.values()]
    for (const pending of unanswered.filter(({ isRetried: again }) => again)) {
      this.#pending.delete(pending.message.id)
      pending.reject(kernelError(code, 'The kernel cannot be used.'))
    }
    for (const pending of unanswered.filter(({ isRetried: again }) => !again)) {
      pending.isRetried = true
      this.#currentWorker().postMessage(pending.message)
      if (pending.isStopped) this.#currentWorker().postMessage({ stop: pending.message.id })
    }
  }
}

export function kernelError(code: string, message: string, detail?: Readonly<Record<string, unknown>>): KernelError {
  return new KernelError(422, code, message, detail)
}
