/** The real kernel behind the worker's protocol, without a worker. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import { Connection, type WorkerLike } from '../../src/kernel/connection'
import { Host } from '../../src/kernel/host'
import { type Kernel, kernelOf } from '../../src/kernel/kernel'
import type { FromWorker, ToWorker } from '../../src/kernel/messages'
import { WasmKernel } from '../../src/kernel/wasmKernel'

export const BUILT = '../build/wasm/kernel.wasm'
/** The network that tests use (tests/frozen_network.py): a stronger network of the engine changes no test. */
export const NETWORK = gunzipSync(readFileSync('../tests/engine/frozen.network.gz'))

let compiled: Promise<WebAssembly.Module> | undefined

const PLACES = { kernel: 'nowhere', network: 'nowhere' }

/**
 * A worker without a thread: the real kernel answers its messages asynchronously. `dies` says at which messages it
 * crashes; `network` is the fetched network, null if there is none.
 */
export class Inside implements WorkerLike {
  static started = 0
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  #host: Promise<Host> | undefined
  #isTerminated = false

  constructor(
    readonly dies: (message: ToWorker) => boolean = () => false,
    readonly network: () => Promise<Uint8Array | null> = async () => NETWORK,
  ) {
    Inside.started += 1
  }

  postMessage(message: ToWorker): void {
    const post = (reply: FromWorker): void => {
      if (!this.#isTerminated) this.onmessage?.(new MessageEvent('message', { data: structuredClone(reply) }))
    }
    if ('open' in message)
      this.#host = (compiled ??= WebAssembly.compile(readFileSync(BUILT)))
        .then((module) => WasmKernel.open(module))
        .then((exchange) => {
          const host: Host = new Host(
            exchange,
            post,
            () => setImmediate(() => !this.#isTerminated && host.runSlice()),
            () => void this.network().then((bytes) => host.takeNetwork(bytes)),
          )
          return host
        })
    else if (this.dies(message)) queueMicrotask(() => post({ dead: 'broken' }))
    else void this.#host?.then((host) => host.receive(structuredClone(message)))
  }

  terminate(): void {
    this.#isTerminated = true
  }
}

export const connected = (make: () => WorkerLike = () => new Inside()): Connection => new Connection(make, PLACES)

/** A kernel with a connection of its own. */
export const kernel = (make?: () => WorkerLike): Kernel => kernelOf(connected(make))
