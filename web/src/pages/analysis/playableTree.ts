/** What of a tree can be played. */
import { ApiError } from '../../api/client'
import type { Kernel } from '../../kernel/kernel'
import { emptyTree, type Node, type Tree } from '../../study/tree'

/** Return as much of a tree as the rules allow, and the first turn they do not. */
export async function playablePart(kernel: Kernel, tree: Tree): Promise<{ tree: Tree; fault: string }> {
  let fault = ''

  async function sound(nodes: readonly Node[], before: readonly string[]): Promise<Node[]> {
    const kept: Node[] = []
    for (const node of nodes) kept.push(...(await soundLine(node, before)))
    return kept
  }

  /** A line from its first turn on, with what branches off; nothing if even that cannot be played. */
  async function soundLine(first: Node, before: readonly string[]): Promise<Node[]> {
    const line: Node[] = []
    for (let node: Node | undefined = first; node; node = node.next[0]) line.push(node)
    const turns = [...before, ...line.map(({ move: turn }) => turn)]
    const good = (await playable(turns, before.length)) - before.length
    fault ||= line[good]?.move ?? ''
    let rest: Node[] = []
    for (let at = good - 1; at >= 0; at -= 1) {
      const node = line[at] as Node
      const others = await sound(node.next.slice(1), turns.slice(0, before.length + at + 1))
      rest = [{ ...node, next: [...rest, ...others] }]
    }
    return rest
  }

  /** How many of the turns can be played, some certainly. The end of a line proves all of it: mostly one question. */
  async function playable(turns: readonly string[], some: number): Promise<number> {
    if (await isLegal(turns)) return turns.length
    let [good, bad] = [some, turns.length]
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2)
      if (await isLegal(turns.slice(0, middle))) good = middle
      else bad = middle
    }
    return good
  }

  async function isLegal(turns: readonly string[]): Promise<boolean> {
    try {
      await kernel.view(tree.start, turns)
      return true
    } catch (error) {
      // Whatever else is refused says nothing about the turns.
      if (error instanceof ApiError && /^(illegal|invalid)_/.test(error.code)) return false
      throw error
    }
  }

  if (!(await isLegal([]))) return { tree: emptyTree('standard w'), fault: tree.start }
  return { tree: { ...tree, next: await sound(tree.next, []) }, fault }
}
