/** A kernel that finds what a test says, when it says so. */
import type { PositionView } from '../../src/api/model'
import type { Kernel, Report, Search } from '../../src/kernel/kernel'
import { MIDDLE, START } from './positions'

export interface Sought {
  readonly start: string
  readonly nodes: number | undefined
  /** Answer with the best variation's score, and how it is proven to end. */
  find(score: number, proven?: number, pv?: readonly string[]): void
  stopped: boolean
}

export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export function report(score: number, proven = 0, pv: readonly string[] = ['Tl9n']): Report {
  const move = pv[0] ?? ''
  return { nodes: 10, depth: 1, seconds: 0, variations: [{ move, score, proven, visits: 5, pv }] }
}

/** Views tell by their text what was played; searches wait to be answered. */
export function fakeKernel(): Kernel & { sought: Sought[] } {
  const sought: Sought[] = []
  const view = (start: string, turns: readonly string[]): PositionView => ({
    ...(turns.length ? MIDDLE : START),
    text: [start, ...turns].join(' '),
    turn: turns.length % 2 ? 'b' : 'w',
    outcome: null,
  })
  return {
    sought,
    view: (start: string, turns: readonly string[]) => Promise.resolve(view(start, turns)),
    search: ({ start }: { start: string }, { nodes }: { nodes?: number }): Search => {
      let answer: (found: Report) => void = () => undefined
      const done = new Promise<Report>((resolve) => (answer = resolve))
      const asked: Sought = {
        start,
        nodes,
        stopped: false,
        find: (score, proven, pv) => answer(report(score, proven, pv)),
      }
      sought.push(asked)
      return {
        result: done,
        stop: () => {
          asked.stopped = true
          answer(report(0.123))
        },
      }
    },
  } as unknown as Kernel & { sought: Sought[] }
}
