/** The entry of one board as Svelte sees it: reactive, and still changed by `enter` alone. */
import type { SpaceName } from '../../api/model'
import {
  type Action,
  enter,
  type Entry,
  type Ghost,
  ghostOf,
  IDLE,
  type Notice,
  originOf,
  originSpace,
  type Situation,
  stepOf,
} from '../model/entry'
import type { Source } from '../model/legal'

export interface EntryCallbacks {
  /** The player did something; what was said before is over. */
  acted(): void
  play(text: string): void
  explain(tap: string): void
  notice(notice: Notice): void
  /** A ghost stands, or was turned; for those who do not see it. */
  aimed?(ghost: Ghost): void
  /** Another piece is in hand than before, or none any more; for them too. */
  held?(source: Source | null): void
}

/** What the player did not do, or does all the time. */
const NOT_OURS: ReadonlySet<Action['do']> = new Set(['hover', 'sync', 'answered', 'withdrawn', 'send'])

export class MoveEntry {
  entry: Entry = $state.raw(IDLE)
  /** The stack being looked at: apart from the entry, so that peeking never costs a turn in progress. */
  peeked: SpaceName | null = $state(null)

  constructor(
    readonly situation: () => Situation,
    readonly outside: EntryCallbacks,
  ) {}

  readonly ghost = $derived.by(() => ghostOf(this.entry, this.situation()))
  readonly step = $derived(stepOf(this.entry))
  readonly origin = $derived.by(() => originOf(this.entry, this.situation()))
  readonly targets = $derived.by(() => (this.entry.source ? this.situation().legal.targets(this.entry.source) : null))

  /** Where its PÜNCT may go; where it lies is no such space, for there a tap puts it back. */
  readonly lands: ReadonlySet<SpaceName> = $derived.by(() => {
    const lands = new Set(this.targets?.keys())
    lands.delete(originSpace(this.entry) ?? '')
    return lands
  })

  /** Whether the piece chosen may turn where it lies. */
  readonly mayTurnInPlace = $derived.by(() => {
    const origin = originSpace(this.entry)
    return origin !== null && (this.targets?.has(origin) ?? false)
  })

  act(action: Action): void {
    const ours = !NOT_OURS.has(action.do)
    if (ours) this.outside.acted()
    const before = this.entry.source
    const { entry, play, explain, notice } = enter(this.entry, action, this.situation())
    this.entry = entry
    if (ours && !same(before, entry.source) && !notice) this.outside.held?.(entry.source)
    if (play) this.outside.play(play)
    if (explain) this.outside.explain(explain)
    if (notice) this.outside.notice(notice)
    else if (this.ghost?.fixed && (action.do === 'rotate' || action.do === 'tap' || action.do === 'head')) {
      this.outside.aimed?.(this.ghost)
    }
  }
}

/** Whether it is one and the same piece, or none. */
function same(one: Source | null, other: Source | null): boolean {
  if (one?.from === 'board' && other?.from === 'board') return one.piece === other.piece
  return one?.from === other?.from && one?.kind === other?.kind
}
