/** A review in the tree of its game: bad turns are marked, with a word, and the better variation beside them. */
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

/** Where the better variation begins: its first turn. Null where there is none, or somebody took it away. */
export function betterPath(tree: Tree, { ply, best }: Remark): Path | null {
  const path = mainPath(ply)
  if (!best.length || !hasNode(tree, path)) return null
  const index = nodeAt(tree, path).next.findIndex((node) => node.move === best[0])
  return index < 0 ? null : [...path, index]
}

/** Return a game's tree with what is to be said about its turns. A turn that is no longer there has nothing said. */
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

/** A tree of a game as it was played, with what its players wrote. */
export function gameTree(
  start: string,
  moves: readonly { readonly text: string; readonly comment: string | null }[],
  tags: Tree['tags'],
): Tree {
  const bare: Tree = { start, tags, comment: '', next: [] }
  return moves.reduce(
    ({ tree, path }, move) => {
      const next = add(tree, path, move.text)
      return move.comment ? { ...next, tree: comment(next.tree, next.path, move.comment) } : next
    },
    { tree: bare, path: [] as Path },
  ).tree
}
