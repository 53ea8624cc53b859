/** What the server allows, unpacked when it is asked for. There is no rule in the client: only these answers. */
import { HEADINGS, type Heading, type Kind, type LegalTurns, type SpaceName } from '../../api/model'
import type { Shape } from './shape'

/** The piece a turn begins with: one from the set, or the one on the board with this identity. */
export type Source =
  | { readonly from: 'set'; readonly kind: Kind }
  | { readonly from: 'board'; readonly kind: Kind; readonly piece: string; readonly space: SpaceName }

/** By the PÜNCT's space: the headings allowed there, clockwise. */
export type Targets = ReadonlyMap<SpaceName, readonly Heading[]>

const NOWHERE: Targets = new Map()

export class Legal {
  readonly #targets = new Map<string, Targets>()

  constructor(
    readonly shape: Shape,
    readonly turns: LegalTurns,
  ) {}

  /** Where this piece may go; empty if it may go nowhere. */
  targets(source: Source): Targets {
    const key = source.from === 'set' ? source.kind : source.space
    let targets = this.#targets.get(key)
    if (!targets) {
      const masks = source.from === 'set' ? this.turns.adds[source.kind] : this.turns.moves[source.space]
      targets = masks ? this.#unpack(masks) : NOWHERE
      this.#targets.set(key, targets)
    }
    return targets
  }

  mayAdd(kind: Kind): boolean {
    return this.turns.adds[kind] !== undefined
  }

  mayMove(space: SpaceName): boolean {
    return this.turns.moves[space] !== undefined
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
