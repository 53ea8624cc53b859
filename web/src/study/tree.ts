/**
 * Moves with all their variations. A tree is immutable: every edit makes another one, which shares what stayed, so that
 * undo is going back to the one before.
 */

/** Annotations of moves, as players write them. */
export const MARKS = ['!!', '!', '!?', '?!', '?', '??'] as const
export type Mark = (typeof MARKS)[number]

/** A position in the tree: its move, mark and comment, and how it continues, the main continuation first. */
export interface Node {
  readonly move: string
  readonly mark: Mark | null
  readonly comment: string
  readonly next: readonly Node[]
}

export interface Tree {
  /** The start position. */
  readonly start: string
  /** Players, date, and so on. */
  readonly tags: readonly (readonly [name: string, value: string])[]
  /** About the game. */
  readonly comment: string
  readonly next: readonly Node[]
}

/** The index of the continuation at each position from the start on. */
export type Path = readonly number[]

/** The path along the main continuation, so many moves long. */
export function mainPath(ply: number): Path {
  return Array.from({ length: ply }, () => 0)
}

/** How many moves of the main variation a path follows. */
export function mainPly(path: Path): number {
  const branchPly = path.findIndex((index) => index !== 0)
  return branchPly < 0 ? path.length : branchPly
}

export function emptyTree(start: string): Tree {
  return { start, tags: [], comment: '', next: [] }
}

/** A tree of one variation. */
export function treeOf(start: string, moves: readonly string[]): Tree {
  const next = moves.reduceRight<readonly Node[]>((rest, move) => [{ move, mark: null, comment: '', next: rest }], [])
  return { ...emptyTree(start), next }
}

/** The node at a path; the tree itself at the start. */
export function nodeAt(tree: Tree, path: Path): Tree | Node {
  let node: Tree | Node = tree
  for (const way of path) {
    const next: Node | undefined = node.next[way]
    if (!next) throw new RangeError(`there is no way ${path.join('.')}`)
    node = next
  }
  return node
}

export function hasNode(tree: Tree, path: Path): boolean {
  let node: Tree | Node | undefined = tree
  for (const way of path) node = node?.next[way]
  return node !== undefined
}

/** The moves of a path. */
export function movesTo(tree: Tree, path: Path): string[] {
  const moves: string[] = []
  let node: Tree | Node = tree
  for (const way of path) {
    node = nodeAt(node as Tree, [way]) as Node
    moves.push(node.move)
  }
  return moves
}

/** The path of moves in a tree, as far as the tree has them. */
export function pathOf(tree: Tree, moves: readonly string[]): Path {
  const path: number[] = []
  let next = tree.next
  for (const move of moves) {
    const index = next.findIndex((node) => node.move === move)
    const node = next[index]
    if (!node) break
    path.push(index)
    next = node.next
  }
  return path
}

/** Follow the main continuation from a path to its end. */
export function toEnd(tree: Tree, path: Path): Path {
  const endPath = [...path]
  for (let node = nodeAt(tree, path); node.next.length; node = nodeAt(node as Tree, [0])) endPath.push(0)
  return endPath
}

/** The path without its last move; the start stays the start. */
export function parentOf(path: Path): Path {
  return path.slice(0, -1)
}

/** Whether the first path is the beginning of the second. */
export function isPrefix(first: Path, second: Path): boolean {
  return first.length <= second.length && first.every((way, i) => second[i] === way)
}

/** Whether a path never leaves the main variation. */
export function isMain(path: Path): boolean {
  return path.every((way) => way === 0)
}

/** How many moves there are in all. */
export function size(tree: Pick<Tree, 'next'>): number {
  return tree.next.reduce((sum, node) => sum + 1 + size(node), 0)
}

type Change<T> = (node: T) => T

function updateAt<T extends Pick<Tree, 'next'>>(node: T, path: Path, change: Change<Pick<Tree, 'next'>>): T {
  const [way, ...rest] = path
  if (way === undefined) return change(node) as T
  const next = node.next.map((node, i) => (i === way ? updateAt(node, rest, change) : node))
  return { ...node, next }
}

/** Add a move after a path; an existing one is followed. */
export function add(tree: Tree, path: Path, move: string): { tree: Tree; path: Path } {
  const existing = nodeAt(tree, path).next.findIndex((node) => node.move === move)
  if (existing >= 0) return { tree, path: [...path, existing] }
  const way = nodeAt(tree, path).next.length
  const node: Node = { move, mark: null, comment: '', next: [] }
  return {
    tree: updateAt(tree, path, (parent) => ({ ...parent, next: [...parent.next, node] })),
    path: [...path, way],
  }
}

/** Add several moves, one after another. */
export function addAll(tree: Tree, path: Path, moves: readonly string[]): { tree: Tree; path: Path } {
  return moves.reduce((cursor, move) => add(cursor.tree, cursor.path, move), { tree, path })
}

/** Remove a move with everything after it; returns the path before it. */
export function remove(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const last = path.at(-1)
  if (last === undefined) return { tree, path }
  const parentPath = parentOf(path)
  return {
    tree: updateAt(tree, parentPath, (parent) => ({ ...parent, next: parent.next.filter((_, i) => i !== last) })),
    path: parentPath,
  }
}

/** The start of the variation that a path belongs to: its last move that is not a main continuation. */
export function variationOf(path: Path): Path | null {
  const from = path.findLastIndex((way) => way > 0)
  return from < 0 ? null : path.slice(0, from + 1)
}

/** Make the variation of a path the main continuation where it branches off. */
export function promote(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const variation = variationOf(path)
  if (!variation) return { tree, path }
  const parentPath = parentOf(variation)
  const way = variation.at(-1) ?? 0
  return {
    tree: updateAt(tree, parentPath, (parent) => {
      const promoted = parent.next[way]
      return promoted ? { ...parent, next: [promoted, ...parent.next.filter((_, i) => i !== way)] } : parent
    }),
    path: [...parentPath, 0, ...path.slice(variation.length)],
  }
}

/** Set a comment; at the start, the game's. */
export function comment(tree: Tree, path: Path, text: string): Tree {
  return updateAt(tree, path, (node) => ({ ...node, comment: text }))
}

/** Set a move's mark, or remove it with null. */
export function mark(tree: Tree, path: Path, newMark: Mark | null): Tree {
  return path.length ? updateAt(tree, path, (node) => ({ ...node, mark: newMark })) : tree
}

/** The next variation at the same depth, up or down, cyclically. */
export function siblingOf(tree: Tree, path: Path, step: 1 | -1): Path {
  const last = path.at(-1)
  if (last === undefined) return path
  const count = nodeAt(tree, parentOf(path)).next.length
  return [...parentOf(path), (last + step + count) % count]
}
