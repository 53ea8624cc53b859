/** A fake kernel: a test decides what its searches find, and when. */
import type { PositionView } from '../../src/api/model'
import type { Kernel, Report, Search } from '../../src/kernel/kernel'
import { MIDDLE, START } from './positions'

/** A search that was started. */
export interface Sought {
  readonly start: string
  readonly nodes: number | undefined
  /** Finish with the best variation's score, and its proven end. */
  find(score: number, proven?: number, pv?: readonly string[]): void
  stopped: boolean
}

export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export function report(score: number, proven = 0, pv: readonly string[] = ['Tl9n']): Report {
  const move = pv[0] ?? ''
  return { nodes: 10, depth: 1, seconds: 0, variations: [{ move, score, proven, visits: 5, pv }] }
}

/** Make a kernel whose views have the moves played in their text, and whose searches wait for the test. */
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
      let finish: (result: Report) => void = () => undefined
      const result = new Promise<Report>((resolve) => (finish = resolve))
      const search: Sought = {
        start,
        nodes,
        stopped: false,
        find: (score, proven, pv) => finish(report(score, proven, pv)),
      }
      sought.push(search)
      return {
        result,
        stop: () => {
          search.stopped = true
          finish(report(0.123))
        },
      }
    },
  } as unknown as Kernel & { sought: Sought[] }
}
