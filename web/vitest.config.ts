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
      // In milliseconds. Only a test that hangs takes so long, even on a slow machine.
      testTimeout: 300_000,
    },
  }),
)
