/** Raises the default timeout of `vi.waitFor` to nearly that of a test: a busy machine is no fault. */
import { vi } from 'vitest'

const WAIT_TIMEOUT_MS = 240_000

const waitFor = vi.waitFor
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: WAIT_TIMEOUT_MS, ...(typeof options === 'number' ? { timeout: options } : options) })
