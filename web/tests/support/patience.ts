/** Whatever a test waits for, it waits nearly as long as the test itself may take: a busy machine is no fault. */
import { vi } from 'vitest'

const PATIENCE = 240_000

const waitFor = vi.waitFor
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: PATIENCE, ...(typeof options === 'number' ? { timeout: options } : options) })
