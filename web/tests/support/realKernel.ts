/** The real kernel, asked as the worker asks it, without a worker. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import { Connection, type WorkerLike } from '../../src/kernel/connection'
import { Host } from '../../src/kernel/host'
import { type Kernel, kernelOf } from '../../src/kernel/kernel'
import type { FromWorker, ToWorker } from '../../src/kernel/messages'
import { WasmKernel } from '../../src/kernel/wasmKernel'

export const BUILT = '../build/wasm/kernel.wasm'
/** The network that tests play by (tests/frozen_network.py): a stronger one of the engine changes none of them. */
export const NETWORK = gunzipSync(readFileSync('../tests/engine/frozen.network.gz'))

let compiled: Promise<WebAssembly.Module> | undefined

const PLACES = { kernel: 'nowhere', network: 'nowhere' }

/**
 * A worker without a thread: what it is told is answered by the real kernel, later. `dies` says at which questions;
 * `network` is what comes where its file is fetched: nothing where there is none.
 */
export class Inside implements WorkerLike {
  static started = 0
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  #host: Promise<Host> | undefined
  #gone = false

  constructor(
    readonly dies: (message: ToWorker) => boolean = () => false,
    readonly network: () => Promise<Uint8Array | null> = async () => NETWORK,
  ) {
    Inside.started += 1
  }

  postMessage(message: ToWorker): void {
    const post = (said: FromWorker): void => {
      if (!this.#gone) this.onmessage?.(new MessageEvent('message', { data: structuredClone(said) }))
    }
    if ('open' in message)
      this.#host = (compiled ??= WebAssembly.compile(readFileSync(BUILT)))
        .then((module) => WasmKernel.open(module))
        .then((exchange) => {
          const host: Host = new Host(
            exchange,
            post,
            () => setImmediate(() => !this.#gone && host.runSlice()),
            () => void this.network().then((bytes) => host.takeNetwork(bytes)),
          )
          return host
        })
    else if (this.dies(message)) queueMicrotask(() => post({ dead: 'broken' }))
    else void this.#host?.then((host) => host.receive(structuredClone(message)))
  }

  terminate(): void {
    this.#gone = true
  }
}

export const connected = (make: () => WorkerLike = () => new Inside()): Connection => new Connection(make, PLACES)

/** A kernel of one's own. */
export const kernel = (make?: () => WorkerLike): Kernel => kernelOf(connected(make))
