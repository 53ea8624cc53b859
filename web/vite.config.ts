import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { kernel, kernelName, networkName } from './kernel.ts'
import { everywhere, offline } from './offline.ts'

/** Plain files for any web host, without a server behind them; `PUNCT_BASE` names the folder they will lie in there. */
const STATIC = Boolean(process.env['PUNCT_STATIC'])
const BASE = process.env['PUNCT_BASE'] || '/'

// The built client lies inside the Python package, from where the server serves it.
export default defineConfig({
  base: BASE,
  plugins: [
    svelte(),
    kernel(),
    offline(BASE, String(STATIC), kernelName(), networkName()),
    ...(STATIC ? [everywhere()] : []),
  ],
  define: { __SERVED__: JSON.stringify(!STATIC) },
  worker: { format: 'es' },
  build: {
    outDir: STATIC ? '../build/static' : '../src/punct/server/page/built',
    emptyOutDir: true,
    target: 'es2022',
    // Fonts stay files of their own: a page in one language loads only the alphabet it needs.
    assetsInlineLimit: 0,
    // Every browser that understands the rest understands this too.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/service/worker.ts' },
      // A service worker is responsible for what lies beside it and below: so it lies at the root, under one name.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What the first page shares with others comes in one file: dozens of small ones cost more than they save.
        codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] },
      },
      checks: { circularDependency: true, bundlerTimings: false },
      // Two modules that need each other are one, or stand the wrong way round. What libraries do is theirs.
      onLog(level, log, next) {
        if (log.code !== 'CIRCULAR_DEPENDENCY') next(level, log)
        else if (!log.ids?.every((id) => id.includes('/node_modules/'))) throw new Error(log.message)
      },
    },
  },
  server: {
    // The scale that turns are judged by and the puzzles lie with the library.
    fs: { allow: ['.', '../src/punct/analysis', '../src/punct/puzzles'] },
    proxy: { '/api': { target: process.env['PUNCT_SERVER'] ?? 'http://127.0.0.1:8000', ws: true } },
  },
})
