/** The legal moves as the server lists them, unpacked on demand. The client knows no rule, only these lists. */
import { HEADINGS, type Heading, type Kind, type LegalTurns, type SpaceName } from '../../api/model'
import type { Shape } from './shape'

/** The piece of a move: one from the set, or one on the board. */
export type Source =
  | { readonly from: 'set'; readonly kind: Kind }
  | { readonly from: 'board'; readonly kind: Kind; readonly piece: string; readonly space: SpaceName }

/** By the PÜNCT's space: the headings allowed there, clockwise. */
export type Targets = ReadonlyMap<SpaceName, readonly Heading[]>

const NO_TARGETS: Targets = new Map()

export class Legal {
  readonly #targets = new Map<string, Targets>()

  constructor(
    readonly shape: Shape,
    readonly moves: LegalTurns,
  ) {}

  /** Where this piece may go; empty if it may go nowhere. */
  targets(source: Source): Targets {
    const key = source.from === 'set' ? source.kind : source.space
    let targets = this.#targets.get(key)
    if (!targets) {
      const masks = source.from === 'set' ? this.moves.adds[source.kind] : this.moves.moves[source.space]
      targets = masks ? this.#unpack(masks) : NO_TARGETS
      this.#targets.set(key, targets)
    }
    return targets
  }

  canAdd(kind: Kind): boolean {
    return this.moves.adds[kind] !== undefined
  }

  canMove(space: SpaceName): boolean {
    return this.moves.moves[space] !== undefined
  }

  #unpack(masks: Partial<Record<Heading, string>>): Targets {
    const targets = new Map<SpaceName, Heading[]>()
    for (const heading of HEADINGS) {
      for (const space of this.shape.unpack(masks[heading] ?? '')) {
        const headings = targets.get(space)
        if (headings) headings.push(heading)
        else targets.set(space, [heading])
      }
    }
    return targets
  }
}
