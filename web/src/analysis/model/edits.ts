/** What was edited, step by step, so that it can be undone and done again. */
import type { Path, Tree } from './tree'
import { has } from './tree'

/** A tree, and the moment that is looked at. */
export interface Study {
  readonly tree: Tree
  readonly path: Path
}

/** As many steps are remembered. */
const MOST = 500

export interface Edits {
  readonly now: Study
  readonly undone: readonly Study[]
  readonly done: readonly Study[]
}

export function begun(now: Study): Edits {
  return { now, done: [], undone: [] }
}

/** Look at another moment: no edit. */
export function look(edits: Edits, path: Path): Edits {
  return has(edits.now.tree, path) ? { ...edits, now: { ...edits.now, path } } : edits
}

/** Change the tree; what changes nothing is no edit. */
export function edit(edits: Edits, next: Study): Edits {
  if (next.tree === edits.now.tree) return look(edits, next.path)
  return { now: next, done: [...edits.done, edits.now].slice(-MOST), undone: [] }
}

export function undo(edits: Edits): Edits {
  const last = edits.done.at(-1)
  return last ? { now: last, done: edits.done.slice(0, -1), undone: [...edits.undone, edits.now] } : edits
}

export function redo(edits: Edits): Edits {
  const last = edits.undone.at(-1)
  return last ? { now: last, done: [...edits.done, edits.now], undone: edits.undone.slice(0, -1) } : edits
}
