/** The worker: loads the kernel, and the network when somebody searches; posts answers until the kernel breaks down. */
import { compileKernel } from './compile'
import { Host } from './host'
import type { FromWorker, KernelUrls, ToWorker } from './messages'
import { WasmKernel } from './wasmKernel'

let host: Promise<Host> | undefined

const post = (message: FromWorker): void => self.postMessage(message)

/** A message to oneself comes after those that wait already, and without the delay of a timer. */
const { port1: slicePort, port2: schedulePort } = new MessageChannel()

async function load({ kernel, network }: KernelUrls): Promise<Host> {
  const wasmKernel = await WasmKernel.open(await compileKernel(await fetchFile(kernel)))
  const fetchNetwork = async (): Promise<void> => {
    const bytes = await fetchBytes(network).catch(() => null)
    dieOnError(() => newHost.takeNetwork(bytes))
  }
  const newHost = new Host(
    wasmKernel,
    post,
    () => schedulePort.postMessage(null),
    () => void fetchNetwork(),
  )
  slicePort.onmessage = (): void => dieOnError(() => newHost.runSlice())
  return newHost
}

async function fetchFile(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`there is nothing at ${url}`)
  return response
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetchFile(url)).arrayBuffer())
}

function dieOnError(action: () => void): void {
  try {
    action()
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
  const current = await host?.catch(() => undefined)
  dieOnError(() => current?.receive(data))
}
