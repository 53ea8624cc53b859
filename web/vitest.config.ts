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
      // Until a test gives up; never reached when all is well, however busy the machine.
      testTimeout: 60_000,
    },
  }),
)
