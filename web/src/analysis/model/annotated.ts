/** A review in the tree of its game: bad turns are marked, with a word, and the better variation beside them. */
import type { Remark } from '../../net/model'
import type { Judgement } from '../../coach/judging'
import { add, addAll, at, comment, has, mark, type Mark, type Path, type Tree } from './tree'

const MARK: Readonly<Record<Judgement, Mark>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
  missed_win: '??',
  gives_win: '??',
}

/** After so many turns of the game. */
export function mainPath(ply: number): Path {
  return Array.from({ length: ply }, () => 0)
}

/** How many turns of the game lead to a moment; a variation is counted to where it leaves the game. */
export function mainPly(path: Path): number {
  const left = path.findIndex((way) => way !== 0)
  return left < 0 ? path.length : left
}

/** Where the better variation begins: its first turn. Null where there is none, or somebody took it away. */
export function betterPath(tree: Tree, { ply, best }: Remark): Path | null {
  const path = mainPath(ply)
  if (!best.length || !has(tree, path)) return null
  const way = at(tree, path).next.findIndex((node) => node.turn === best[0])
  return way < 0 ? null : [...path, way]
}

/** Return a game's tree with what is to be said about its turns. A turn that is no longer there has nothing said. */
export function annotated(tree: Tree, remarks: readonly Remark[], words: (remark: Remark) => string): Tree {
  return remarks.reduce((now, remark) => {
    const { ply, turn, judgement, best } = remark
    const path = mainPath(ply + 1)
    if (!judgement || !has(now, path)) return now
    const here = at(now, path)
    if (!('turn' in here) || here.turn !== turn) return now
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
