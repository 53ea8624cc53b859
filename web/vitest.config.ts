import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'

import build from './vite.config'

export default mergeConfig(
  build,
  defineConfig({
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'jsdom',
      include: ['tests/**/*.test.ts'],
      restoreMocks: true,
      setupFiles: ['tests/support/waitTimeout.ts'],
      // Milliseconds, however slow the machine: only what hangs takes so long.
      testTimeout: 300_000,
    },
  }),
)
