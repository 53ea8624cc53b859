/**
 * A board to try turns on, without a game behind it: for the rules and for positions from a link. The server judges
 * every turn, by being asked for the position after it.
 */
import { type Notice, type Refusal, type Situation, situationOf } from '../board/model/entry'
import type { Shape } from '../board/model/shape'
import { TurnEntry } from '../board/view/entry.svelte'
import { endWords, insteadWords, refusalWords, turnWords } from '../board/view/words'
import { t } from '../i18n/index.svelte'
import { api } from '../net/client'
import type { Colour, PositionView } from '../net/model'
import { errorWords } from './errors'

/** What the practising player hears; `tone` says whether it is a refusal. */
export interface Word {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** Pieces and spaces that it is about, by their names. */
  readonly pointed: readonly string[]
}

export interface Habits {
  readonly confirm: boolean
}

export class Practice {
  view: PositionView = $state.raw() as PositionView
  word: Word | null = $state.raw(null)
  /** The last refusal by its kind: some exercises ask for one. */
  refusal: Refusal | 'illegal' | null = $state(null)
  turns: readonly string[] = $state.raw([])
  readonly turn: TurnEntry

  constructor(
    readonly shape: Shape,
    readonly start: PositionView,
    readonly habits: () => Habits,
    /** How many turns may be tried before the board waits to be set up again. */
    readonly most = Infinity,
  ) {
    this.view = start
    this.turn = new TurnEntry(() => this.situation, {
      acted: () => (this.word = null),
      play: (text) => void this.#play(text),
      explain: (tap) => void this.#explain(tap),
      notice: (notice) => this.#notice(notice),
    })
  }

  readonly player: Colour | null = $derived.by(() =>
    this.view.outcome || this.turns.length >= this.most ? null : this.view.turn,
  )

  readonly situation: Situation = $derived.by(() =>
    situationOf(this.shape, this.view, this.player, this.habits().confirm),
  )

  /** Set the board up again. */
  reset(): void {
    this.turns = []
    this.#show(this.start)
    this.word = null
    this.refusal = null
  }

  /** Take the last turn back. */
  async back(): Promise<void> {
    const turns = this.turns.slice(0, -1)
    try {
      const view = turns.length ? await api.view(this.start.text, turns) : this.start
      this.turns = turns
      this.#show(view)
      this.word = null
    } catch (error) {
      this.#say(errorWords(error), 'refusal')
    }
  }

  async #play(text: string): Promise<void> {
    const turns = [...this.turns, text]
    try {
      const view = await api.view(this.start.text, turns)
      this.turns = turns
      this.refusal = null
      this.#show(view)
      const told = view.last ? turnWords(view.last) : ''
      this.#say(view.outcome ? `${told} ${endWords(view)}` : told)
    } catch (error) {
      this.#say(errorWords(error), 'refusal')
    }
    this.turn.act({ do: 'answered' })
  }

  async #explain(tap: string): Promise<void> {
    try {
      const found = await api.explainTapAt(this.start.text, this.turns, tap)
      if (found.legal) return
      this.refusal = 'illegal'
      this.#say(refusalWords(found), 'refusal', found.spaces)
    } catch (error) {
      this.#say(errorWords(error), 'refusal')
    }
  }

  #show(view: PositionView): void {
    this.view = view
    this.turn.act({ do: 'sync' })
  }

  #notice(notice: Notice): void {
    // A board that waits to be set up again says so itself.
    if (notice.code === 'not_your_turn') return
    if (notice.code === 'chosen_instead') return this.#say(insteadWords(notice))
    this.refusal = notice.code
    this.#say(t(`notice.${notice.code}`), 'refusal', notice.blockers)
  }

  #say(text: string, tone: Word['tone'] = 'plain', pointed: readonly string[] = []): void {
    this.word = { text, tone, pointed }
  }
}
