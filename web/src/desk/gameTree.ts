/** A player's variations on the moves of a game that goes on: the game is always the main variation. */
import { writeRecord } from '../study/record'
import type { Node, Tree } from '../study/tree'

/** The tree with the game's moves as its main variation, whatever was so before; the same tree if they are that. */
export function withGame(tree: Tree, moves: readonly string[]): Tree {
  const next = nextWithGame(tree.next, moves, 0)
  return next === tree.next ? tree : { ...tree, next }
}

function nextWithGame(next: readonly Node[], moves: readonly string[], ply: number): readonly Node[] {
  const move = moves[ply]
  if (move === undefined) return next
  const existing = next.find((node) => node.move === move)
  const main = existing ?? { move, mark: null, comment: '', next: [] }
  const after = nextWithGame(main.next, moves, ply + 1)
  if (main === next[0] && after === main.next) return next
  return [{ ...main, next: after }, ...next.filter((node) => node !== existing)]
}

/** The variations of two trees; where both have a comment or a mark, that of the first. */
export function mergeTrees(one: Tree, other: Tree): Tree {
  return { ...one, comment: one.comment || other.comment, next: mergeNext(one.next, other.next) }
}

function mergeNext(one: readonly Node[], other: readonly Node[]): readonly Node[] {
  const merged = one.map((node) => {
    const twin = other.find((candidate) => candidate.move === node.move)
    if (!twin) return node
    return {
      move: node.move,
      mark: node.mark ?? twin.mark,
      comment: node.comment || twin.comment,
      next: mergeNext(node.next, twin.next),
    }
  })
  return [...merged, ...other.filter((node) => !one.some((twin) => twin.move === node.move))]
}

/** The record to store; empty if the tree has nothing but the game. */
export function recordOf(tree: Tree, moves: readonly string[]): string {
  return hasOnlyGame(tree, moves) ? '' : writeRecord({ ...tree, tags: [] })
}

function hasOnlyGame(tree: Tree, moves: readonly string[]): boolean {
  if (tree.comment) return false
  let next = tree.next
  for (let ply = 0; next[0]; ply += 1) {
    const [node, ...others] = next
    if (others.length || node?.move !== moves[ply] || node.comment || node.mark) return false
    next = node.next
  }
  return true
}
