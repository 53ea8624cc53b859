/**
 * What the service worker needs to know of a build: a name for it, and the files that the page is made of.
 *
 * The name is made from what the build is made from. So page and worker both know it, and whether they belong together.
 * A module that comes from anywhere else stops the build: a change of it would not be noticed by browsers.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

const HERE = new URL('./', import.meta.url)
/** Libraries are known by their versions. */
const MADE_FROM = [
  'src',
  'public',
  'index.html',
  'package-lock.json',
  'svelte.config.js',
  'vite.config.ts',
  'kernel.ts',
  'offline.ts',
  '../src/punct/analysis/scale.json',
  '../src/punct/puzzles/shipped.puzzles',
]
/** Not listed: the worker itself, this list, the page once more, and kernel and network, which are kept last of all. */
const NOT_LISTED = /^(sw\.js|files\.json|404\.html)$|\/index\.html$|\.(map|wasm|bin)$/
/** Places of the page that need no server. */
const PLACES = ['learn', 'puzzles', 'puzzles/day', 'how-to-play', 'position', 'analysis', 'settings', 'about']

function* filesIn(path: string): Generator<string> {
  if (!statSync(new URL(path, HERE)).isDirectory()) yield path
  else for (const name of readdirSync(new URL(path, HERE)).sort()) yield* filesIn(`${path}/${name}`)
}

function nameOf(words: readonly string[]): string {
  const hash = createHash('sha256').update(words.join(' '))
  for (const part of MADE_FROM)
    for (const file of filesIn(part)) hash.update(file).update(readFileSync(new URL(file, HERE)))
  return hash.digest('hex').slice(0, 12)
}

/** Of the modules a build consists of, those that its name would not tell of. */
export function unnamed(modules: Iterable<string>): string[] {
  const named = MADE_FROM.map((part) => fileURLToPath(new URL(part, HERE)))
  return [...modules]
    .map((id) => id.replace(/[?#].*$/, ''))
    .filter((id) => id.startsWith('/') && existsSync(id) && !id.includes('/node_modules/'))
    .filter((id) => !named.some((part) => id === part || id.startsWith(`${part}/`)))
}

/** Names the build, which also depends on some words, and lists its files. */
export function offline(...words: readonly string[]): Plugin {
  const build = nameOf(words)
  return {
    name: 'punct-offline',
    enforce: 'post',
    config: () => ({ define: { __BUILD__: JSON.stringify(build) } }),
    generateBundle: {
      order: 'post',
      handler(_, bundle): void {
        const strange = unnamed(this.getModuleIds())
        if (strange.length) this.error(`offline.ts: the build's name does not tell of ${strange.join(', ')}`)
        const names = [...Object.keys(bundle), ...[...filesIn('public')].map((path) => path.replace(/^public\//, ''))]
        // The page itself is asked for as its folder: hosts may lead its file there.
        const files = names
          .filter((name) => !NOT_LISTED.test(name))
          .map((name) => (name === 'index.html' ? './' : name))
        const source = JSON.stringify({ build, files: [...new Set(files)].sort() })
        this.emitFile({ type: 'asset', fileName: 'files.json', source })
      },
    },
  }
}

/** The page once more for every place in it, so that a host of plain files finds them; and where it finds nothing. */
export function everywhere(): Plugin {
  return {
    name: 'punct-everywhere',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle): void {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('there is no page')
        for (const fileName of [...PLACES.map((place) => `${place}/index.html`), '404.html'])
          this.emitFile({ type: 'asset', fileName, source: page.source })
      },
    },
  }
}
