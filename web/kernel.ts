/**
 * The kernel as WebAssembly and the network it plays by, taken into the page's build.
 *
 * The kernel's name is made from its sources, not from its bytes: so a page can be built before it is, as `make play`
 * does, and finds it as soon as it is put beside it. Whoever compiles it notes the name beside it; one of other sources
 * is left out, for a browser would keep it for ever under a name that is not its own. The network is there before any
 * build: its name is made from what it says.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

const ROOT = new URL('../', import.meta.url)
/** Where it is compiled to. */
export const BUILT = new URL('build/wasm/', ROOT)

/** The name of the kernel's file. */
export function kernelName(): string {
  const hash = createHash('sha256')
  for (const name of ['core', 'search', 'view', 'wasm']) {
    const folder = new URL(`kernel/${name}/`, ROOT)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  }
  return `assets/kernel-${hash.digest('hex').slice(0, 12)}.wasm`
}

/** The network that the engine plays by, on a server as in the page; PUNCT_NETWORK names another. */
const NETWORK = process.env['PUNCT_NETWORK'] || new URL('src/punct/engine/own.network', ROOT)

/** The name of the network's file. */
export function networkName(): string {
  const hash = createHash('sha256').update(readFileSync(NETWORK))
  return `assets/network-${hash.digest('hex').slice(0, 12)}.bin`
}

/** The kernel of that name, if it is compiled. */
export function compiledKernel(name: string, folder = BUILT): Buffer | null {
  const [file, noted] = [new URL('kernel.wasm', folder), new URL('kernel.name', folder)]
  if (!existsSync(file) || !existsSync(noted)) return null
  return readFileSync(noted, 'utf8').trim() === name ? readFileSync(file) : null
}

/** Tells the page the names of kernel and network, and adds the files: the kernel's if it is compiled. */
export function kernel(): Plugin {
  const [name, network] = [kernelName(), networkName()]
  const found = [
    { name, type: 'application/wasm', read: (): Buffer | null => compiledKernel(name) },
    { name: network, type: 'application/octet-stream', read: (): Buffer => readFileSync(NETWORK) },
  ]
  return {
    name: 'punct-kernel',
    config: () => ({ define: { __KERNEL__: JSON.stringify(name), __NETWORK__: JSON.stringify(network) } }),
    generateBundle(): void {
      for (const { name: fileName, read } of found) {
        const source = read()
        if (source) this.emitFile({ type: 'asset', fileName, source })
      }
    },
    configureServer(server): void {
      for (const { name: fileName, type, read } of found)
        server.middlewares.use(`/${fileName}`, (_, response) => {
          const source = read()
          response.statusCode = source ? 200 : 404
          response.setHeader('Content-Type', type)
          response.end(source)
        })
    },
  }
}
