/**
 * The kernel as WebAssembly, taken into the page's build.
 *
 * Its name is made from its sources, not from its bytes: so a page can be built before it is, as `make play` does, and
 * finds it as soon as it is put beside it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

const ROOT = new URL('../', import.meta.url)
const BUILT = new URL('build/wasm/kernel.wasm', ROOT)

/** The name of the kernel's file. */
export function kernelName(): string {
  const hash = createHash('sha256')
  for (const room of ['core', 'search', 'wasm']) {
    const folder = new URL(`kernel/${room}/`, ROOT)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  }
  return `assets/kernel-${hash.digest('hex').slice(0, 12)}.wasm`
}

/** Tells the page the kernel's name, and adds the file if it is built. */
export function kernel(): Plugin {
  const name = kernelName()
  return {
    name: 'punct-kernel',
    config: () => ({ define: { __KERNEL__: JSON.stringify(name) } }),
    generateBundle(): void {
      if (existsSync(BUILT)) this.emitFile({ type: 'asset', fileName: name, source: readFileSync(BUILT) })
    },
    configureServer(server): void {
      server.middlewares.use(`/${name}`, (_, response) => {
        response.setHeader('Content-Type', 'application/wasm')
        response.end(readFileSync(BUILT))
      })
    },
  }
}
