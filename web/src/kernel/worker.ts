/** The worker: loads the kernel, and the network when somebody searches; keeps asking it until it breaks down. */
import { compileKernel } from './compile'
import { Host } from './host'
import type { FromWorker, Places, ToWorker } from './messages'
import { WasmKernel } from './wasmKernel'

let host: Promise<Host> | undefined

const post = (message: FromWorker): void => self.postMessage(message)

/** A message to oneself comes after those that wait already, and without the delay of a timer. */
const { port1: turn, port2: ring } = new MessageChannel()

async function load({ kernel, network }: Places): Promise<Host> {
  const exchange = await WasmKernel.open(await compileKernel(await fetched(kernel)))
  const fetchNetwork = async (): Promise<void> => {
    const bytes = await bytesOf(network).catch(() => null)
    living(() => loaded.takeNetwork(bytes))
  }
  const loaded = new Host(
    exchange,
    post,
    () => ring.postMessage(null),
    () => void fetchNetwork(),
  )
  turn.onmessage = (): void => living(() => loaded.goOn())
  return loaded
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`there is nothing at ${address}`)
  return response
}

async function bytesOf(address: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetched(address)).arrayBuffer())
}

function living(work: () => void): void {
  try {
    work()
  } catch {
    die('broken')
  }
}

function die(dead: 'not-loaded' | 'broken'): void {
  post({ dead })
  self.close()
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
  if ('open' in data) {
    host = load(data.open)
    host.catch(() => die('not-loaded'))
    return
  }
  const loaded = await host?.catch(() => undefined)
  living(() => loaded?.receive(data))
}
