/** What of a tree can be played. */
import type { Kernel } from '../kernel/kernel'
import { ApiError } from '../net/client'
import { emptyTree, type Node, type Tree } from './model/tree'

/** Return as much of a tree as the rules allow, and the first turn they do not. */
export async function soundPart(kernel: Kernel, tree: Tree): Promise<{ tree: Tree; fault: string }> {
  let fault = ''

  async function sound(nodes: readonly Node[], before: readonly string[]): Promise<Node[]> {
    const kept: Node[] = []
    for (const node of nodes) {
      const turns = [...before, node.turn]
      // The end of a line proves all of it; only where something branches, or is wrong, more has to be asked.
      if (await isLegal(turns)) kept.push({ ...node, next: await sound(node.next, turns) })
      else fault ||= node.turn
    }
    return kept
  }

  async function isLegal(turns: readonly string[]): Promise<boolean> {
    try {
      await kernel.view(tree.start, turns)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  if (!(await isLegal([]))) return { tree: emptyTree('standard w'), fault: tree.start }
  return { tree: { ...tree, next: await sound(tree.next, []) }, fault }
}
