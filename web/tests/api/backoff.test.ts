import { expect, it } from 'vitest'

import { Backoff } from '../../src/api/backoff'

const waits = (backoff: Backoff, times: number): number[] => Array.from({ length: times }, () => backoff.next())

it('waits longer each time, up to a limit, and begins anew', () => {
  const backoff = new Backoff(1000, 5000, () => 0)
  expect(waits(backoff, 6).map(Math.round)).toEqual([1000, 1600, 2560, 4096, 5000, 5000])
  backoff.reset()
  expect(backoff.next()).toBe(1000)
})

it('is never quite the same for two, and never longer than its turn', () => {
  const lots = [0, 0.5, 0.999]
  const first = lots.map((lot) => new Backoff(900, 5000, () => lot).next())
  expect(first.map(Math.round)).toEqual([900, 750, 600])
})
