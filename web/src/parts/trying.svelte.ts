/**
 * A board to try turns on, whoever judges them: the server, or the kernel in the page. What becomes of a turn that was
 * allowed, those decide who make one of it.
 */
import { type Notice, type Refusal, type Situation, situationOf } from '../board/model/entry'
import type { Source } from '../board/model/legal'
import type { Shape } from '../board/model/shape'
import { TurnEntry } from '../board/view/entry.svelte'
import { aimedWords, heldWords, insteadWords, momentWords, refusalWords } from '../board/view/words'
import { t } from '../i18n/index.svelte'
import type { Colour, PositionView } from '../net/model'
import { Latest, STALE } from '../requests/latest'
import { errorWords } from './errors'
import { EITHER, type Judge } from './judge'
import { Voice } from './voice.svelte'

/** What the player hears; `tone` says whether it is a refusal. */
export interface Word {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** Pieces and spaces that it is about, by their names. */
  readonly pointed: readonly string[]
}

export interface Habits {
  readonly confirm: boolean
}

export abstract class Trying {
  view: PositionView = $state.raw() as PositionView
  word: Word | null = $state.raw(null)
  /** The last refusal by its kind: some exercises ask for one. */
  refusal: Refusal | 'illegal' | null = $state(null)
  readonly turn: TurnEntry
  /** A move being judged for the board as it is. */
  readonly #moves = new Latest()
  /** Why something is not allowed; nobody wants to know who does something else. */
  readonly #reasons = new Latest()

  constructor(
    readonly shape: Shape,
    view: PositionView,
    readonly habits: () => Habits,
    readonly judge: Judge = EITHER,
    /** For those who do not see the board; a page with several boards has one for all of them. */
    readonly voice: Voice = new Voice(),
  ) {
    this.view = view
    this.turn = new TurnEntry(() => this.situation, {
      acted: () => {
        this.word = null
        this.#reasons.drop()
      },
      play: (text) => void this.playMove(text),
      explain: (tap) => void this.#explain(tap),
      notice: (notice) => this.#notice(notice),
      aimed: (ghost) => this.voice.say(aimedWords(ghost)),
      held: (source) => this.held(source),
    })
  }

  /** Where it began, and what was played since. */
  protected abstract position(): { readonly start: string; readonly turns: readonly string[] }
  /** What turns lead to from where it began. */
  protected judged(turns: readonly string[]): Promise<PositionView> {
    return this.judge.view(this.position().start, turns)
  }
  /** A turn was allowed, and led to a position. */
  protected played?(text: string, view: PositionView): void
  /** A try was refused, for every rule that one heading or another of it breaks. */
  protected refused?(codes: readonly string[]): void
  /** Something could not be chosen, or was chosen instead. */
  protected noticed?(notice: Notice): void

  /** Another piece is in hand, or none any more. */
  protected held(source: Source | null): void {
    this.voice.say(heldWords(source))
  }

  /** Who may try a turn. */
  get player(): Colour | null {
    return this.view.outcome ? null : this.view.turn
  }

  readonly situation: Situation = $derived.by(() =>
    situationOf(this.shape, this.view, this.player, this.habits().confirm),
  )

  /** Another board is wanted: whatever was on its way for this one is not. */
  protected withdraw(): void {
    this.#moves.drop()
    this.#reasons.drop()
    this.turn.act({ do: 'withdrawn' })
  }

  protected show(view: PositionView): void {
    this.withdraw()
    this.view = view
    this.turn.act({ do: 'sync' })
  }

  protected say(text: string, tone: Word['tone'] = 'plain', pointed: readonly string[] = []): void {
    this.word = { text, tone, pointed }
    this.voice.say(text)
  }

  /** Play a move that was entered, if it is allowed. */
  protected async playMove(text: string): Promise<void> {
    try {
      const view = await this.#moves.ask(() => this.judged([...this.position().turns, text]))
      if (view === STALE) return
      this.refusal = null
      this.played?.(text, view)
      this.show(view)
      this.say(momentWords(view))
    } catch (error) {
      this.say(errorWords(error), 'refusal')
    }
    this.turn.act({ do: 'answered' })
  }

  async #explain(tap: string): Promise<void> {
    const { start, turns } = this.position()
    try {
      const found = await this.#reasons.ask(() => this.judge.explainTap(start, turns, tap))
      if (found === STALE || found.legal) return
      this.refusal = 'illegal'
      this.say(refusalWords(found), 'refusal', found.spaces)
      this.refused?.([found.reason, ...found.headings.map(({ reason }) => reason)].flatMap((code) => code ?? []))
    } catch (error) {
      this.say(errorWords(error), 'refusal')
    }
  }

  #notice(notice: Notice): void {
    // A board that waits to be set up again says so itself.
    if (notice.code === 'chosen_instead') this.say(insteadWords(notice))
    else if (notice.code !== 'not_your_turn') {
      this.refusal = notice.code
      this.say(t(`notice.${notice.code}`), 'refusal', notice.blockers)
    }
    this.noticed?.(notice)
  }
}
