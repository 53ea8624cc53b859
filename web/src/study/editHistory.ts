/** What was edited, step by step, so that it can be undone and done again. */
import type { Path, Tree } from './tree'
import { hasNode } from './tree'

/** A tree, and the moment that is looked at. */
export interface TreeCursor {
  readonly tree: Tree
  readonly path: Path
}

/** As many steps are remembered. */
const MOST = 500

export interface EditHistory {
  readonly now: TreeCursor
  readonly undone: readonly TreeCursor[]
  readonly done: readonly TreeCursor[]
}

export function newHistory(now: TreeCursor): EditHistory {
  return { now, done: [], undone: [] }
}

/** Look at another moment: no edit. */
export function moveTo(edits: EditHistory, path: Path): EditHistory {
  return hasNode(edits.now.tree, path) ? { ...edits, now: { ...edits.now, path } } : edits
}

/** Change the tree; what changes nothing is no edit. */
export function edit(edits: EditHistory, next: TreeCursor): EditHistory {
  if (next.tree === edits.now.tree) return moveTo(edits, next.path)
  return { now: next, done: [...edits.done, edits.now].slice(-MOST), undone: [] }
}

export function undo(edits: EditHistory): EditHistory {
  const last = edits.done.at(-1)
  return last ? { now: last, done: edits.done.slice(0, -1), undone: [...edits.undone, edits.now] } : edits
}

export function redo(edits: EditHistory): EditHistory {
  const last = edits.undone.at(-1)
  return last ? { now: last, done: [...edits.done, edits.now], undone: edits.undone.slice(0, -1) } : edits
}
