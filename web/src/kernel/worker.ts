/** The worker: loads the kernel, and keeps asking it until it breaks down. */
import { compiled } from './compiled'
import { Exchange } from './exchange'
import { Host } from './host'
import type { FromWorker, ToWorker } from './messages'

let host: Promise<Host> | undefined

const post = (message: FromWorker): void => self.postMessage(message)

/** A message to oneself comes after those that wait already, and without the delay of a timer. */
const { port1: turn, port2: ring } = new MessageChannel()

async function load(address: string): Promise<Host> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`there is no kernel at ${address}`)
  const exchange = await Exchange.open(await compiled(response))
  const loaded = new Host(exchange, post, () => ring.postMessage(null))
  turn.onmessage = (): void => living(() => loaded.goOn())
  return loaded
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
