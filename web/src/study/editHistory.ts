/** The edit history of a tree, for undo and redo. */
import { hasNode, movesTo, type Path, pathOf, type Tree } from './tree'

/** A tree, and the path of the position shown. */
export interface TreeCursor {
  readonly tree: Tree
  readonly path: Path
}

/** So many edits can be undone. */
const MAX_EDITS = 500

export interface EditHistory {
  readonly current: TreeCursor
  readonly redoable: readonly TreeCursor[]
  readonly undoable: readonly TreeCursor[]
}

export function newHistory(current: TreeCursor): EditHistory {
  return { current, undoable: [], redoable: [] }
}

/** Show another position: no edit. */
export function moveTo(history: EditHistory, path: Path): EditHistory {
  return hasNode(history.current.tree, path) ? { ...history, current: { ...history.current, path } } : history
}

/** Change the tree; without a change it is no edit. */
export function edit(history: EditHistory, next: TreeCursor): EditHistory {
  if (next.tree === history.current.tree) return moveTo(history, next.path)
  return { current: next, undoable: [...history.undoable, history.current].slice(-MAX_EDITS), redoable: [] }
}

export function undo(history: EditHistory): EditHistory {
  const previous = history.undoable.at(-1)
  return previous
    ? { current: previous, undoable: history.undoable.slice(0, -1), redoable: [...history.redoable, history.current] }
    : history
}

export function redo(history: EditHistory): EditHistory {
  const next = history.redoable.at(-1)
  return next
    ? { current: next, undoable: [...history.undoable, history.current], redoable: history.redoable.slice(0, -1) }
    : history
}

/** Change the tree of every edit; each shows the same position as before, as far as its moves are still there. */
export function rebase(history: EditHistory, change: (tree: Tree) => Tree): EditHistory {
  const changed = (cursor: TreeCursor): TreeCursor => {
    const tree = change(cursor.tree)
    return tree === cursor.tree ? cursor : { tree, path: pathOf(tree, movesTo(cursor.tree, cursor.path)) }
  }
  return {
    current: changed(history.current),
    undoable: history.undoable.map(changed),
    redoable: history.redoable.map(changed),
  }
}
