/** The legal part of a tree. */
import { ApiError } from '../../api/client'
import type { Kernel } from '../../kernel/kernel'
import { emptyTree, type Node, type Tree } from '../../study/tree'

/** Return as much of a tree as the rules allow, and the first illegal move. */
export async function legalPartOf(kernel: Kernel, tree: Tree): Promise<{ tree: Tree; fault: string }> {
  let fault = ''

  async function legalNodes(nodes: readonly Node[], previousMoves: readonly string[]): Promise<Node[]> {
    const legal: Node[] = []
    for (const node of nodes) legal.push(...(await legalVariation(node, previousMoves)))
    return legal
  }

  /** A variation from its first move on, with its branches; empty if even that move is illegal. */
  async function legalVariation(first: Node, previousMoves: readonly string[]): Promise<Node[]> {
    const nodes: Node[] = []
    for (let node: Node | undefined = first; node; node = node.next[0]) nodes.push(node)
    const moves = [...previousMoves, ...nodes.map(({ move }) => move)]
    const legalCount = (await countLegal(moves, previousMoves.length)) - previousMoves.length
    fault ||= nodes[legalCount]?.move ?? ''
    let rest: Node[] = []
    for (let index = legalCount - 1; index >= 0; index -= 1) {
      const node = nodes[index] as Node
      const branches = await legalNodes(node.next.slice(1), moves.slice(0, previousMoves.length + index + 1))
      rest = [{ ...node, next: [...rest, ...branches] }]
    }
    return rest
  }

  /** The number of legal moves, at least `known`. A legal end proves the whole variation: mostly one request. */
  async function countLegal(moves: readonly string[], known: number): Promise<number> {
    if (await isLegal(moves)) return moves.length
    let [good, bad] = [known, moves.length]
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2)
      if (await isLegal(moves.slice(0, middle))) good = middle
      else bad = middle
    }
    return good
  }

  async function isLegal(moves: readonly string[]): Promise<boolean> {
    try {
      await kernel.view(tree.start, moves)
      return true
    } catch (error) {
      // Any other error says nothing about the moves.
      if (error instanceof ApiError && /^(illegal|invalid)_/.test(error.code)) return false
      throw error
    }
  }

  if (!(await isLegal([]))) return { tree: emptyTree('standard w'), fault: tree.start }
  return { tree: { ...tree, next: await legalNodes(tree.next, []) }, fault }
}
