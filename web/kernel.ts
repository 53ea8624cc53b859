/**
 * Adds the kernel, as WebAssembly, and its network to the page's build.
 *
 * The kernel's file name is a hash of its sources, not of its bytes: so a page can be built before the kernel, as
 * `make play` does, and loads it as soon as its file is there. The compilation writes the name to a file beside it; a
 * kernel of other sources is left out, as browsers would cache it for ever under a wrong name. The network exists
 * before any build: its file name is a hash of its content.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

const ROOT = new URL('../', import.meta.url)
/** The folder of the compiled kernel. */
export const BUILT = new URL('build/wasm/', ROOT)

/** The kernel's file name in the build. */
export function kernelName(): string {
  const hash = createHash('sha256')
  for (const name of ['core', 'search', 'view', 'wasm']) {
    const folder = new URL(`kernel/${name}/`, ROOT)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  }
  return `assets/kernel-${hash.digest('hex').slice(0, 12)}.wasm`
}

/** The engine's network, the same on a server and in the page; PUNCT_NETWORK names another file. */
const NETWORK = process.env['PUNCT_NETWORK'] || new URL('src/punct/engine/own.network', ROOT)

/** The network's file name in the build. */
export function networkName(): string {
  const hash = createHash('sha256').update(readFileSync(NETWORK))
  return `assets/network-${hash.digest('hex').slice(0, 12)}.bin`
}

/** The compiled kernel of this name; null if there is none, or the compiled one has another name. */
export function compiledKernel(name: string, folder = BUILT): Buffer | null {
  const [file, nameFile] = [new URL('kernel.wasm', folder), new URL('kernel.name', folder)]
  if (!existsSync(file) || !existsSync(nameFile)) return null
  return readFileSync(nameFile, 'utf8').trim() === name ? readFileSync(file) : null
}

/** Defines the file names of kernel and network for the page, and adds both files; the kernel's if it is compiled. */
export function kernel(): Plugin {
  const [name, network] = [kernelName(), networkName()]
  const files = [
    { name, type: 'application/wasm', read: (): Buffer | null => compiledKernel(name) },
    { name: network, type: 'application/octet-stream', read: (): Buffer => readFileSync(NETWORK) },
  ]
  return {
    name: 'punct-kernel',
    config: () => ({ define: { __KERNEL__: JSON.stringify(name), __NETWORK__: JSON.stringify(network) } }),
    generateBundle(): void {
      for (const { name: fileName, read } of files) {
        const source = read()
        if (source) this.emitFile({ type: 'asset', fileName, source })
      }
    },
    configureServer(server): void {
      for (const { name: fileName, type, read } of files)
        server.middlewares.use(`/${fileName}`, (_, response) => {
          const source = read()
          response.statusCode = source ? 200 : 404
          response.setHeader('Content-Type', type)
          response.end(source)
        })
    },
  }
}
