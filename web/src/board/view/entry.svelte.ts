/** The entry of one board as reactive state, changed by `enter` alone. */
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
  /** The player did something; earlier messages are out of date. */
  onAct(): void
  onPlay(text: string): void
  onExplain(tap: string): void
  onNotice(notice: Notice): void
  /** A ghost was fixed or rotated; for announcements. */
  onAim?(ghost: Ghost): void
  /** Another piece was selected, or none any more; for announcements. */
  onSelect?(source: Source | null): void
}

/** Actions that are not the player's, or happen all the time. */
const AUTOMATIC_ACTIONS: ReadonlySet<Action['do']> = new Set(['hover', 'sync', 'answered', 'withdrawn', 'send'])

export class MoveEntry {
  entry: Entry = $state.raw(IDLE)
  /** The stack being peeked at: apart from the entry, so that peeking never costs a move in progress. */
  peekedSpace: SpaceName | null = $state(null)

  constructor(
    readonly situation: () => Situation,
    readonly callbacks: EntryCallbacks,
  ) {}

  readonly ghost = $derived.by(() => ghostOf(this.entry, this.situation()))
  readonly step = $derived(stepOf(this.entry))
  readonly origin = $derived.by(() => originOf(this.entry, this.situation()))
  readonly targets = $derived.by(() => (this.entry.source ? this.situation().legal.targets(this.entry.source) : null))

  /** Where the selected PÜNCT may go; not where it lies, as a tap there puts it back. */
  readonly landings: ReadonlySet<SpaceName> = $derived.by(() => {
    const spaces = new Set(this.targets?.keys())
    spaces.delete(originSpace(this.entry) ?? '')
    return spaces
  })

  /** Whether the selected piece may rotate where it lies. */
  readonly canRotateInPlace = $derived.by(() => {
    const origin = originSpace(this.entry)
    return origin !== null && (this.targets?.has(origin) ?? false)
  })

  act(action: Action): void {
    const isPlayers = !AUTOMATIC_ACTIONS.has(action.do)
    if (isPlayers) this.callbacks.onAct()
    const previous = this.entry.source
    const { entry, play, explain, notice } = enter(this.entry, action, this.situation())
    this.entry = entry
    if (isPlayers && !isSamePiece(previous, entry.source) && !notice) this.callbacks.onSelect?.(entry.source)
    if (play) this.callbacks.onPlay(play)
    if (explain) this.callbacks.onExplain(explain)
    if (notice) this.callbacks.onNotice(notice)
    else if (this.ghost?.isFixed && (action.do === 'rotate' || action.do === 'tap' || action.do === 'head')) {
      this.callbacks.onAim?.(this.ghost)
    }
  }
}

/** Whether both are the same piece, or none. */
function isSamePiece(one: Source | null, other: Source | null): boolean {
  if (one?.from === 'board' && other?.from === 'board') return one.piece === other.piece
  return one?.from === other?.from && one?.kind === other?.kind
}
