import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { kernel, kernelName, networkName } from './kernel.ts'
import { everywhere, offline } from './offline.ts'

/** Whether to build plain files for any web host, without a server; `PUNCT_BASE` names their folder there. */
const STATIC = Boolean(process.env['PUNCT_STATIC'])
const BASE = process.env['PUNCT_BASE'] || '/'
/** The server behind `npm run dev`. */
const SERVER = process.env['PUNCT_SERVER'] ?? 'http://127.0.0.1:8000'

// The built page is part of the Python package, from which the server serves it.
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
    // Fonts stay separate files: a page in one language loads only the alphabet it needs.
    assetsInlineLimit: 0,
    // Every browser of the target supports it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A board in another site's page has a page of its own, which comes from the server.
      input: { index: 'index.html', sw: 'src/service/worker.ts', ...(STATIC ? {} : { embed: 'embed.html' }) },
      // A service worker's scope is its own folder: so it is at the root, under a constant name.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What the first page shares with others is one file: dozens of small ones cost more than they save.
        codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] },
      },
      checks: { circularDependency: true, bundlerTimings: false },
      // Circular imports are errors, except within libraries.
      onLog(level, log, next) {
        if (log.code !== 'CIRCULAR_DEPENDENCY') next(level, log)
        else if (!log.ids?.every((id) => id.includes('/node_modules/'))) throw new Error(log.message)
      },
    },
  },
  server: {
    // The scale of judgements and the puzzles are files of the Python library.
    fs: { allow: ['.', '../src/punct/analysis', '../src/punct/puzzles'] },
    proxy: { '/api': { target: SERVER, ws: true }, '/docs': { target: SERVER }, '/embed/': { target: SERVER } },
  },
})
