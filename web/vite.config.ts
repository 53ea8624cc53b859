import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { kernel } from './kernel.ts'

// The built client lies inside the Python package, from where the server serves it.
export default defineConfig({
  plugins: [svelte(), kernel()],
  worker: { format: 'es' },
  build: {
    outDir: '../src/punct/server/client/built',
    emptyOutDir: true,
    target: 'es2022',
    // Fonts stay files of their own: a page in one language loads only the alphabet it needs.
    assetsInlineLimit: 0,
    // Every browser that understands the rest understands this too.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { circularDependency: true, bundlerTimings: false },
      // Two modules that need each other are one, or stand the wrong way round. What libraries do is theirs.
      onLog(level, log, next) {
        if (log.code !== 'CIRCULAR_DEPENDENCY') next(level, log)
        else if (!log.ids?.every((id) => id.includes('/node_modules/'))) throw new Error(log.message)
      },
    },
  },
  server: { proxy: { '/api': { target: process.env['PUNCT_SERVER'] ?? 'http://127.0.0.1:8000', ws: true } } },
})
