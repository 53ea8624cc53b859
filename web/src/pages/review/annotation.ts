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
  const way = nodeAt(tree, path).next.findIndex((node) => node.move === best[0])
  return way < 0 ? null : [...path, way]
}

/** Return a game's tree with what is to be said about its turns. A turn that is no longer there has nothing said. */
export function annotateTree(tree: Tree, remarks: readonly Remark[], words: (remark: Remark) => string): Tree {
  return remarks.reduce((now, remark) => {
    const { ply, turn, judgement, best } = remark
    const path = mainPath(ply + 1)
    if (!judgement || !hasNode(now, path)) return now
    const here = nodeAt(now, path)
    if (!('move' in here) || here.move !== turn) return now
    const said = [words(remark), here.comment].filter(Boolean).join('\n')
    const marked = comment(mark(now, path, MARK[judgement]), path, said)
    return best.length ? addAll(marked, mainPath(ply), best).tree : marked
  }, tree)
}

/** A tree of a game as it was played, with what its players wrote. */
export function gameTree(
  start: string,
  turns: readonly { readonly text: string; readonly comment: string | null }[],
  tags: Tree['tags'],
): Tree {
  const bare: Tree = { start, tags, comment: '', next: [] }
  return turns.reduce(
    ({ tree, path }, turn) => {
      const next = add(tree, path, turn.text)
      return turn.comment ? { ...next, tree: comment(next.tree, next.path, turn.comment) } : next
    },
    { tree: bare, path: [] as Path },
  ).tree
}
