/**
 * The kernel as WebAssembly, taken into the page's build.
 *
 * Its name is made from its sources, not from its bytes: so a page can be built before it is, as `make play` does, and
 * finds it as soon as it is put beside it. Whoever compiles it notes the name beside it; one of other sources is left
 * out, for a browser would keep it for ever under a name that is not its own.
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
  for (const room of ['core', 'search', 'wasm']) {
    const folder = new URL(`kernel/${room}/`, ROOT)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  }
  return `assets/kernel-${hash.digest('hex').slice(0, 12)}.wasm`
}

/** The kernel of that name, if it is compiled. */
export function compiledKernel(name: string, folder = BUILT): Buffer | null {
  const [file, noted] = [new URL('kernel.wasm', folder), new URL('kernel.name', folder)]
  if (!existsSync(file) || !existsSync(noted)) return null
  return readFileSync(noted, 'utf8').trim() === name ? readFileSync(file) : null
}

/** Tells the page the kernel's name, and adds the file if it is compiled. */
export function kernel(): Plugin {
  const name = kernelName()
  return {
    name: 'punct-kernel',
    config: () => ({ define: { __KERNEL__: JSON.stringify(name) } }),
    generateBundle(): void {
      const source = compiledKernel(name)
      if (source) this.emitFile({ type: 'asset', fileName: name, source })
    },
    configureServer(server): void {
      server.middlewares.use(`/${name}`, (_, response) => {
        const source = compiledKernel(name)
        response.statusCode = source ? 200 : 404
        response.setHeader('Content-Type', 'application/wasm')
        response.end(source)
      })
    },
  }
}
