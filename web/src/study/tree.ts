/**
 * Turns with all their variations. A tree never changes: every edit makes another one, which shares what stayed, so
 * that undoing is going back to the one before.
 */

/** How good a turn was, as players write it. */
export const MARKS = ['!!', '!', '!?', '?!', '?', '??'] as const
export type Mark = (typeof MARKS)[number]

/** A moment: what led to it, what is said about it, and how it goes on, the main continuation first. */
export interface Node {
  readonly turn: string
  readonly mark: Mark | null
  readonly comment: string
  readonly next: readonly Node[]
}

export interface Tree {
  /** The position everything begins with. */
  readonly start: string
  /** Who played, when, and so on. */
  readonly tags: readonly (readonly [name: string, value: string])[]
  /** About the game. */
  readonly comment: string
  readonly next: readonly Node[]
}

/** Which way is taken at each moment from the start on. */
export type Path = readonly number[]

/** The path along the main continuation, so many moves long. */
export function mainPath(ply: number): Path {
  return Array.from({ length: ply }, () => 0)
}

/** How many turns of the game lead to a moment; a variation is counted to where it leaves the game. */
export function mainPly(path: Path): number {
  const left = path.findIndex((way) => way !== 0)
  return left < 0 ? path.length : left
}

export function emptyTree(start: string): Tree {
  return { start, tags: [], comment: '', next: [] }
}

/** A tree of one line. */
export function treeOf(start: string, turns: readonly string[]): Tree {
  const next = turns.reduceRight<readonly Node[]>((rest, turn) => [{ turn, mark: null, comment: '', next: rest }], [])
  return { ...emptyTree(start), next }
}

/** The moment a path leads to; the tree itself at the start. */
export function nodeAt(tree: Tree, path: Path): Tree | Node {
  let here: Tree | Node = tree
  for (const way of path) {
    const next: Node | undefined = here.next[way]
    if (!next) throw new RangeError(`there is no way ${path.join('.')}`)
    here = next
  }
  return here
}

export function hasNode(tree: Tree, path: Path): boolean {
  let here: Tree | Node | undefined = tree
  for (const way of path) here = here?.next[way]
  return here !== undefined
}

/** The turns that lead there. */
export function turnsTo(tree: Tree, path: Path): string[] {
  const turns: string[] = []
  let here: Tree | Node = tree
  for (const way of path) {
    here = nodeAt(here as Tree, [way]) as Node
    turns.push(here.turn)
  }
  return turns
}

/** From a moment on to the end of its main continuation. */
export function toEnd(tree: Tree, path: Path): Path {
  const all = [...path]
  for (let here = nodeAt(tree, path); here.next.length; here = nodeAt(here as Tree, [0])) all.push(0)
  return all
}

/** The way there without its last turn; the start stays the start. */
export function parentOf(path: Path): Path {
  return path.slice(0, -1)
}

/** Whether one comes past the first on the way to the second. */
export function leadsTo(first: Path, second: Path): boolean {
  return first.length <= second.length && first.every((way, i) => second[i] === way)
}

/** Whether a path never leaves the main line. */
export function isMain(path: Path): boolean {
  return path.every((way) => way === 0)
}

/** How many turns there are in all. */
export function size(tree: Pick<Tree, 'next'>): number {
  return tree.next.reduce((sum, node) => sum + 1 + size(node), 0)
}

type Change<T> = (here: T) => T

function changed<T extends Pick<Tree, 'next'>>(here: T, path: Path, change: Change<Pick<Tree, 'next'>>): T {
  const [way, ...rest] = path
  if (way === undefined) return change(here) as T
  const next = here.next.map((node, i) => (i === way ? changed(node, rest, change) : node))
  return { ...here, next }
}

/** Play a turn from a moment: along a way that is there, or along a new one. */
export function add(tree: Tree, path: Path, turn: string): { tree: Tree; path: Path } {
  const known = nodeAt(tree, path).next.findIndex((node) => node.turn === turn)
  if (known >= 0) return { tree, path: [...path, known] }
  const way = nodeAt(tree, path).next.length
  const node: Node = { turn, mark: null, comment: '', next: [] }
  return {
    tree: changed(tree, path, (here) => ({ ...here, next: [...here.next, node] })),
    path: [...path, way],
  }
}

/** Play several turns, one after another. */
export function addAll(tree: Tree, path: Path, turns: readonly string[]): { tree: Tree; path: Path } {
  return turns.reduce((now, turn) => add(now.tree, now.path, turn), { tree, path })
}

/** Forget a turn with everything after it; leads to the moment before. */
export function remove(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const last = path.at(-1)
  if (last === undefined) return { tree, path }
  const to = parentOf(path)
  return {
    tree: changed(tree, to, (here) => ({ ...here, next: here.next.filter((_, i) => i !== last) })),
    path: to,
  }
}

/** Where the variation begins that a moment belongs to: the last turn on the way that is not a main continuation. */
export function variationOf(path: Path): Path | null {
  const from = path.findLastIndex((way) => way > 0)
  return from < 0 ? null : path.slice(0, from + 1)
}

/** Make the variation a moment belongs to the main continuation where it branches off. */
export function promote(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const variation = variationOf(path)
  if (!variation) return { tree, path }
  const to = parentOf(variation)
  const way = variation.at(-1) ?? 0
  return {
    tree: changed(tree, to, (here) => {
      const chosen = here.next[way]
      return chosen ? { ...here, next: [chosen, ...here.next.filter((_, i) => i !== way)] } : here
    }),
    path: [...to, 0, ...path.slice(variation.length)],
  }
}

/** Say something about a moment; at the start, about the game. */
export function comment(tree: Tree, path: Path, text: string): Tree {
  return changed(tree, path, (here) => ({ ...here, comment: text }))
}

/** Mark a turn, or with null no longer. */
export function mark(tree: Tree, path: Path, with_: Mark | null): Tree {
  return path.length ? changed(tree, path, (here) => ({ ...here, mark: with_ })) : tree
}

/** A moment and the next one along the same depth: the way to another variation, up or down, around again. */
export function siblingOf(tree: Tree, path: Path, step: 1 | -1): Path {
  const last = path.at(-1)
  if (last === undefined) return path
  const ways = nodeAt(tree, parentOf(path)).next.length
  return [...parentOf(path), (last + step + ways) % ways]
}
