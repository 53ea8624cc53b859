/** What page and worker say to each other. */
import type { Refused, Report, SearchOptions } from './wasmKernel'

/** A position, and the turns played since. */
export interface Task {
  readonly start: string
  readonly turns: readonly string[]
}

/** A question that is answered at once. */
export type Question =
  | { readonly ask: 'board' }
  | ({ readonly ask: 'view' } & Task)
  | ({ readonly ask: 'game' } & Task)
  | ({ readonly ask: 'explain'; readonly text: string; readonly anyHeading: boolean } & Task)
  | { readonly ask: 'status'; readonly start: string }
  | ({ readonly ask: 'canonical' } & Task)
  | ({ readonly ask: 'insight' } & Task)

/** One that takes its time: what was found is told on the way. */
export type Search =
  | ({ readonly ask: 'search'; readonly options: SearchOptions } & Task)
  | ({ readonly ask: 'play'; readonly level: number; readonly seed: number } & Task)
  | ({ readonly ask: 'prove'; readonly defends: boolean; readonly within: number; readonly tries: number } & Task)

/** Each with a number that its answer carries. */
export type Numbered = { readonly id: number } & (Question | Search)

/** Where the kernel lies, and the network that its searches need. */
export interface Places {
  readonly kernel: string
  readonly network: string
}

/** The first message: where everything lies. Then questions, and searches that shall end now. */
export type ToWorker = { readonly open: Places } | { readonly stop: number } | Numbered

export type FromWorker =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly refused: Refused }
  /** Of a search: the answer is still to come. */
  | { readonly id: number; readonly report: Report }
  /** It could not be loaded, or broke down; nothing more comes from this worker. */
  | { readonly dead: 'not-loaded' | 'broken' }
