/** Writes a review into the tree of its game: bad moves get a mark, a comment, and the better variation. */
import type { Remark } from '../../api/model'
import type { Judgement } from '../../coach/judgements'
import {
  add,
  addAll,
  comment,
  hasNode,
  mainPath,
  mark,
  type Mark,
  nodeAt,
  type Path,
  type Tree,
} from '../../study/tree'

const MARK: Readonly<Record<Judgement, Mark>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
  missed_win: '??',
  gives_win: '??',
}

/** The path of the better variation's first move; null if there is none, or it was deleted. */
export function betterPath(tree: Tree, { ply, best }: Remark): Path | null {
  const path = mainPath(ply)
  if (!best.length || !hasNode(tree, path)) return null
  const index = nodeAt(tree, path).next.findIndex((node) => node.move === best[0])
  return index < 0 ? null : [...path, index]
}

/** Return a game's tree with the remarks on its moves; those on deleted moves are left out. */
export function annotateTree(tree: Tree, remarks: readonly Remark[], words: (remark: Remark) => string): Tree {
  return remarks.reduce((current, remark) => {
    const { ply, turn: move, judgement, best } = remark
    const path = mainPath(ply + 1)
    if (!judgement || !hasNode(current, path)) return current
    const node = nodeAt(current, path)
    if (!('move' in node) || node.move !== move) return current
    const text = [words(remark), node.comment].filter(Boolean).join('\n')
    const markedTree = comment(mark(current, path, MARK[judgement]), path, text)
    return best.length ? addAll(markedTree, mainPath(ply), best).tree : markedTree
  }, tree)
}

/** The tree of a game as it was played, with the comments of its record. */
export function gameTree(
  start: string,
  moves: readonly { readonly text: string; readonly comment: string | null }[],
  tags: Tree['tags'],
): Tree {
  const emptyTree: Tree = { start, tags, comment: '', next: [] }
  return moves.reduce(
    ({ tree, path }, move) => {
      const next = add(tree, path, move.text)
      return move.comment ? { ...next, tree: comment(next.tree, next.path, move.comment) } : next
    },
    { tree: emptyTree, path: [] as Path },
  ).tree
}
