/**
 * Tells the service worker the build's name and the page's files.
 *
 * The name is a hash of the build's sources. Page and worker contain it, so they know whether they belong together. A
 * module from outside these sources stops the build: browsers would not notice a change of it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

const HERE = new URL('./', import.meta.url)
/** The build's sources; package-lock.json stands for the libraries. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'embed.html',
  'package-lock.json',
  'svelte.config.js',
  'vite.config.ts',
  'kernel.ts',
  'offline.ts',
  '../src/punct/analysis/scale.json',
  '../src/punct/puzzles/shipped.puzzles',
]
/** Not listed: the worker, this list, copies of the page, and kernel and network, which are cached last. */
const NOT_LISTED = /^(sw\.js|files\.json|404\.html|embed\.html|assets\/embed-[^/]*)$|\/index\.html$|\.(map|wasm|bin)$/
/** Paths within the page that need no server. */
const PATHS = ['learn', 'puzzles', 'puzzles/day', 'how-to-play', 'position', 'analysis', 'settings', 'about']

function* filesIn(path: string): Generator<string> {
  if (!statSync(new URL(path, HERE)).isDirectory()) yield path
  else for (const name of readdirSync(new URL(path, HERE)).sort()) yield* filesIn(`${path}/${name}`)
}

function nameOf(options: readonly string[]): string {
  const hash = createHash('sha256').update(options.join(' '))
  for (const source of SOURCES)
    for (const file of filesIn(source)) hash.update(file).update(readFileSync(new URL(file, HERE)))
  return hash.digest('hex').slice(0, 12)
}

/** The modules of a build that its name does not depend on. */
export function unnamed(modules: Iterable<string>): string[] {
  const sources = SOURCES.map((source) => fileURLToPath(new URL(source, HERE)))
  return [...modules]
    .map((id) => id.replace(/[?#].*$/, ''))
    .filter((id) => id.startsWith('/') && existsSync(id) && !id.includes('/node_modules/'))
    .filter((id) => !sources.some((source) => id === source || id.startsWith(`${source}/`)))
}

/** Names the build, by its sources and some options, and lists its files. */
export function offline(...options: readonly string[]): Plugin {
  const build = nameOf(options)
  return {
    name: 'punct-offline',
    enforce: 'post',
    config: () => ({ define: { __BUILD__: JSON.stringify(build) } }),
    generateBundle: {
      order: 'post',
      handler(_, bundle): void {
        const unnamedModules = unnamed(this.getModuleIds())
        if (unnamedModules.length)
          this.error(`offline.ts: the build's name does not depend on ${unnamedModules.join(', ')}`)
        const names = [...Object.keys(bundle), ...[...filesIn('public')].map((path) => path.replace(/^public\//, ''))]
        // The page is requested by its folder: hosts may redirect index.html to it.
        const files = names
          .filter((name) => !NOT_LISTED.test(name))
          .map((name) => (name === 'index.html' ? './' : name))
        const source = JSON.stringify({ build, files: [...new Set(files)].sort() })
        this.emitFile({ type: 'asset', fileName: 'files.json', source })
      },
    },
  }
}

/** Copies the page to each path within it, for a host of plain files, and to 404.html. */
export function everywhere(): Plugin {
  return {
    name: 'punct-everywhere',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle): void {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('there is no page')
        for (const fileName of [...PATHS.map((path) => `${path}/index.html`), '404.html'])
          this.emitFile({ type: 'asset', fileName, source: page.source })
      },
    },
  }
}
