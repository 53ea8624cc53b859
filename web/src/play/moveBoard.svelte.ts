/**
 * A board on which moves are entered and judged, by the server or by the kernel in the page. Its owner keeps the
 * moves played so far, and decides by callbacks who may play and what follows from a legal move.
 */
import type { Colour, PositionView } from '../api/model'
import { type Notice, type Refusal, type Situation, situationOf } from '../board/model/entry'
import type { Source } from '../board/model/legal'
import type { Shape } from '../board/model/shape'
import { MoveEntry } from '../board/view/entry.svelte'
import { ghostWords, chosenInsteadWords, selectionWords, positionWords, refusalWords } from '../board/view/words'
import { t } from '../i18n/index.svelte'
import type { Task } from '../kernel/kernel'
import { Latest, STALE } from '../requests/latest'
import { Announcer } from '../ui/announcer.svelte'
import { errorWords } from '../ui/errors'
import { type Judge, serverOrKernel } from './judge'

/** A message to the player; `tone` says whether it is a refusal. */
export interface BoardMessage {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** The pieces and spaces that it is about, by their names. */
  readonly highlights: readonly string[]
}

export interface EntryOptions {
  readonly confirm: boolean
}

/** What every board is made of. */
export interface BoardSetup<J extends Judge = Judge> {
  readonly shape: Shape
  /** The position shown first. */
  readonly view: PositionView
  readonly options: () => EntryOptions
  /** The server or the kernel, if not given. */
  readonly judge?: J
  /** For screen readers; a page with several boards shares one among them. */
  readonly announcer?: Announcer
}

export interface MoveBoardCallbacks {
  /** The start position, and the moves that led from there to the position shown. */
  position(): Task
  /** Whether the side to move may play; yes, if not given. */
  canPlay?(view: PositionView): boolean
  /** The position after moves from the start; the judge's, if not given. */
  viewAfter?(moves: readonly string[]): Promise<PositionView>
  /** Plays a confirmed move instead of the board. */
  play?(text: string): Promise<void>
  /** A move was legal; the position that it leads to is shown next. */
  onPlayed?(text: string, view: PositionView): void
  /** A move was refused, for every rule that one of its headings breaks. */
  onRefused?(codes: readonly string[]): void
  /** A piece or space could not be selected, or another was selected instead. */
  onNotice?(notice: Notice): void
  /** Another piece was selected, or none any more. */
  onSelect?(source: Source | null): void
}

export class MoveBoard {
  view: PositionView = $state.raw() as PositionView
  message: BoardMessage | null = $state.raw(null)
  /** The kind of the last refusal: some exercises ask for one. */
  refusal: Refusal | 'illegal' | null = $state(null)
  readonly shape: Shape
  readonly judge: Judge
  readonly announcer: Announcer
  readonly moveEntry: MoveEntry
  readonly #options: () => EntryOptions
  readonly #callbacks: MoveBoardCallbacks
  /** The move that is being judged for the position shown. */
  readonly #moveRequests = new Latest()
  /** Why something is not allowed: stale as soon as the player does something else. */
  readonly #reasonRequests = new Latest()

  constructor({ shape, view, options, judge, announcer }: BoardSetup, callbacks: MoveBoardCallbacks) {
    this.shape = shape
    this.view = view
    this.judge = judge ?? serverOrKernel
    this.announcer = announcer ?? new Announcer()
    this.#options = options
    this.#callbacks = callbacks
    this.moveEntry = new MoveEntry(() => this.situation, {
      onAct: () => {
        this.message = null
        this.#reasonRequests.invalidate()
      },
      onPlay: (text) => void (callbacks.play ? callbacks.play(text) : this.#play(text)),
      onExplain: (tap) => void this.#explain(tap),
      onNotice: (notice) => this.#notice(notice),
      onAim: (ghost) => this.announcer.say(ghostWords(ghost)),
      onSelect: (source) => {
        this.announcer.say(selectionWords(source))
        callbacks.onSelect?.(source)
      },
    })
  }

  /** The colour that may enter a move now. */
  get player(): Colour | null {
    const { view } = this
    return view.outcome || this.#callbacks.canPlay?.(view) === false ? null : view.turn
  }

  readonly situation: Situation = $derived.by(() =>
    situationOf(this.shape, this.view, this.player, this.#options().confirm),
  )

  /** Withdraw the pending move: every response still on its way is stale. */
  withdraw(): void {
    this.#moveRequests.invalidate()
    this.#reasonRequests.invalidate()
    this.moveEntry.act({ do: 'withdrawn' })
  }

  /** Show a position; every answer for the one before it is stale. */
  show(view: PositionView): void {
    this.withdraw()
    this.view = view
    this.moveEntry.act({ do: 'sync' })
  }

  say(text: string, tone: BoardMessage['tone'] = 'plain', highlights: readonly string[] = []): void {
    this.message = { text, tone, highlights }
    this.announcer.say(text)
  }

  sayError(error: unknown): void {
    this.say(errorWords(error), 'refusal')
  }

  /** The position after moves from the start. */
  viewAfter(moves: readonly string[]): Promise<PositionView> {
    return this.#callbacks.viewAfter?.(moves) ?? this.judge.view(this.#callbacks.position().start, moves)
  }

  /** Play a move that was confirmed, if it is legal. */
  async #play(text: string): Promise<void> {
    try {
      const view = await this.#moveRequests.run(() => this.viewAfter([...this.#callbacks.position().turns, text]))
      if (view === STALE) return
      this.refusal = null
      this.#callbacks.onPlayed?.(text, view)
      this.show(view)
      this.say(positionWords(view))
    } catch (error) {
      this.sayError(error)
    }
    this.moveEntry.act({ do: 'answered' })
  }

  /** Say why a piece may not go to a space. */
  async #explain(tap: string): Promise<void> {
    const { start, turns } = this.#callbacks.position()
    try {
      const explanation = await this.#reasonRequests.run(() => this.judge.explainTap(start, turns, tap))
      if (explanation === STALE || explanation.legal) return
      const { reason, headings, spaces } = explanation
      this.refusal = 'illegal'
      this.say(refusalWords(explanation), 'refusal', spaces)
      this.#callbacks.onRefused?.([reason, ...headings.map((heading) => heading.reason)].flatMap((code) => code ?? []))
    } catch (error) {
      this.sayError(error)
    }
  }

  #notice(notice: Notice): void {
    // A board that waits to be reset says so itself.
    if (notice.code === 'chosen_instead') this.say(chosenInsteadWords(notice))
    else if (notice.code !== 'not_your_turn') {
      this.refusal = notice.code
      this.say(t(`notice.${notice.code}`), 'refusal', notice.blockers)
    }
    this.#callbacks.onNotice?.(notice)
  }
}
