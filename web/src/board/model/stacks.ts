/** A position by space: the pieces on each, from the board upwards. */
import type { PieceView, SpaceName } from '../../api/model'

export type Stacks = ReadonlyMap<SpaceName, readonly PieceView[]>

/** The pieces over each space, lowest first. */
export function stacksOf(view: { readonly pieces: readonly PieceView[] }): Stacks {
  const stacks = new Map<SpaceName, PieceView[]>()
  for (const piece of [...view.pieces].sort((a, b) => a.level - b.level)) {
    for (const space of piece.spaces) {
      const stack = stacks.get(space)
      if (stack) stack.push(piece)
      else stacks.set(space, [piece])
    }
  }
  return stacks
}

/** The piece that shows on a space. */
export function topOf(stacks: Stacks, space: SpaceName): PieceView | undefined {
  return stacks.get(space)?.at(-1)
}

/** The height of a space: the level of its top piece, 0 for an empty one; `without` a piece that is lifted off. */
export function heightOf(stacks: Stacks, space: SpaceName, without?: string): number {
  return stacks.get(space)?.findLast((piece) => piece.id !== without)?.level ?? 0
}

/** The level of a piece placed over these spaces: one above the highest of them. */
export function restingLevel(stacks: Stacks, spaces: readonly SpaceName[], without?: string): number {
  return 1 + Math.max(...spaces.map((space) => heightOf(stacks, space, without)))
}
