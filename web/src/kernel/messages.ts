/** The messages between page and worker. */
import type { ErrorBody, Report, SearchOptions } from './wasmKernel'

/** A position, and the moves played since. */
export interface Task {
  readonly start: string
  readonly turns: readonly string[]
}

/** A request that is answered at once. */
export type KernelRequest =
  | { readonly ask: 'board' }
  | ({ readonly ask: 'view' } & Task)
  | ({ readonly ask: 'game' } & Task)
  | ({ readonly ask: 'explain'; readonly text: string; readonly anyHeading: boolean } & Task)
  | { readonly ask: 'status'; readonly start: string }
  | ({ readonly ask: 'canonical' } & Task)
  | ({ readonly ask: 'insight' } & Task)

/** A request that takes long, with interim reports. */
export type Search =
  | ({ readonly ask: 'search'; readonly options: SearchOptions } & Task)
  | ({ readonly ask: 'play'; readonly level: number; readonly seed: number } & Task)
  | ({ readonly ask: 'prove'; readonly defends: boolean; readonly within: number; readonly tries: number } & Task)

/** Each with an id that its answer carries. */
export type NumberedRequest = { readonly id: number } & (KernelRequest | Search)

/** The URLs of the kernel, and of the network that its searches need. */
export interface KernelUrls {
  readonly kernel: string
  readonly network: string
}

/** The first message names the URLs; then come requests, and ids of searches to stop. */
export type ToWorker = { readonly open: KernelUrls } | { readonly stop: number } | NumberedRequest

export type FromWorker =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly refused: ErrorBody }
  /** Of a search: the answer is still to come. */
  | { readonly id: number; readonly report: Report }
  /** The kernel could not be loaded, or broke down; nothing more comes from this worker. */
  | { readonly dead: 'not-loaded' | 'broken' }
