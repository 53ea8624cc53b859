// @vitest-environment node
/** What the build calls things: a kernel only by its own sources' name, and itself after everything it is made from. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'

import { BUILT, compiledKernel, kernel, kernelName, networkName } from '../kernel'
import { unnamed } from '../offline'

const NAME = kernelName()
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

describe('the kernel in the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'punct-kernel-'))
  const place = pathToFileURL(`${folder}/`)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is the compiled one, which was named as it is here', () => {
    expect(readFileSync(new URL('kernel.name', BUILT), 'utf8').trim()).toBe(NAME)
    expect(compiledKernel(NAME)?.equals(readFileSync(new URL('kernel.wasm', BUILT)))).toBe(true)
  })

  it('is left out while it is of other sources, or half there', () => {
    expect(compiledKernel(NAME, place)).toBeNull()
    writeFileSync(new URL('kernel.wasm', place), 'old')
    expect(compiledKernel(NAME, place)).toBeNull()
    writeFileSync(new URL('kernel.name', place), 'assets/kernel-000000000000.wasm\n')
    expect(compiledKernel(NAME, place)).toBeNull()
    writeFileSync(new URL('kernel.name', place), `${NAME}\n`)
    expect(compiledKernel(NAME, place)?.toString()).toBe('old')
  })
})

describe('the network in the build', () => {
  it('is the engine’s own, called by what it says', () => {
    const own = readFileSync(at('../../src/punct/engine/own.network'))
    const emitted = new Map<string, Buffer>()
    const generate = kernel().generateBundle as unknown as (this: unknown) => void
    generate.call({ emitFile: (file: { fileName: string; source: Buffer }) => emitted.set(file.fileName, file.source) })
    expect(emitted.get(networkName())?.equals(own)).toBe(true)
    expect(networkName()).toBe(`assets/network-${createHash('sha256').update(own).digest('hex').slice(0, 12)}.bin`)
  })

  it('is another where PUNCT_NETWORK names one', async () => {
    vi.stubEnv('PUNCT_NETWORK', at('../package.json')) // any file will do
    vi.resetModules()
    expect((await import('../kernel')).networkName()).not.toBe(networkName())
    vi.unstubAllEnvs()
  })
})

describe('the build’s name', () => {
  it('tells of the page’s own sources and of the scale it is built with', () => {
    const own = [
      '../src/app/main.ts',
      '../src/pages/game/GameView.svelte?svelte&type=style',
      '../../src/punct/analysis/scale.json',
      '../../src/punct/puzzles/shipped.puzzles?url',
    ]
    expect(unnamed([...own.map(at), '\0vite/preload-helper.js', at('../node_modules/idb/package.json')])).toEqual([])
  })

  it('would not tell of anything else, which stops the build', () => {
    expect(unnamed([at('../../pyproject.toml'), at('../src/app/main.ts')])).toEqual([at('../../pyproject.toml')])
  })
})
