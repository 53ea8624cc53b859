/** Setting up a position: pieces of either colour go anywhere; what is impossible is shown at once. */
import type { Colour, PositionView } from '../../api/model'
import type { Situation } from '../../board/model/entry'
import { Legal } from '../../board/model/legal'
import type { Shape } from '../../board/model/shape'
import { stacksOf } from '../../board/model/stacks'
import { MoveEntry } from '../../board/view/entry.svelte'
import { t } from '../../i18n/index.svelte'
import type { Impossible, Kernel } from '../../kernel/kernel'
import { Latest, STALE } from '../../requests/latest'
import { errorWords, faultWords } from '../../ui/errors'
import { placements, type Setup, setupOf, setupText, withoutPiece, withPiece } from './setup'
import { impossibleWords } from './words'

export class PositionEditor {
  view: PositionView = $state.raw() as PositionView
  /** The colour of the pieces that are taken and moved. */
  colour: Colour = $state('w')
  /** Why the last change was not made. */
  errorText = $state('')
  impossible: readonly Impossible[] = $state.raw([])
  readonly moveEntry: MoveEntry
  readonly #views = new Latest()
  /** The setup requested last; null if it was requested by its text. */
  #requested: Setup | null = null
  readonly #statuses = new Latest(() => [this.view])

  constructor(
    readonly shape: Shape,
    readonly kernel: Kernel,
    view: PositionView,
  ) {
    this.view = view
    this.colour = view.turn
    this.moveEntry = new MoveEntry(() => this.situation, {
      onAct: () => (this.errorText = ''),
      onPlay: (text) => void this.#place(text),
      onExplain: () => undefined,
      onNotice: () => undefined,
    })
    void this.#judge(view.text)
  }

  readonly situation: Situation = $derived.by(() => ({
    shape: this.shape,
    view: this.view,
    stacks: stacksOf(this.view),
    legal: new Legal(this.shape, placements(this.shape, this.view, this.colour)),
    player: this.colour,
    mustConfirm: true,
  }))

  /** The setup that is shown, or will be once its position is known: quick changes go on from there. */
  get setup(): Setup {
    return (this.#views.isPending ? this.#requested : null) ?? setupOf(this.view)
  }

  /** Why the position is impossible, in words. */
  readonly words: readonly string[] = $derived.by(() => this.impossible.map(impossibleWords))

  /** Change the side to move, or the rules. */
  change(changes: Partial<Pick<Setup, 'turn' | 'rules'>>): Promise<void> {
    return this.#apply({ ...this.setup, ...changes })
  }

  /** Remove the selected piece. */
  async remove(): Promise<void> {
    const source = this.moveEntry.entry.source
    if (source?.from !== 'board') return
    this.moveEntry.act({ do: 'cancel' })
    await this.#apply(withoutPiece(this.setup, source.space, source.kind))
  }

  clear(): Promise<void> {
    return this.#apply({ ...this.setup, pieces: [] })
  }

  /** Show a position from its text. */
  read(text: string): Promise<void> {
    this.#requested = null
    return this.#show(text)
  }

  async #place(text: string): Promise<void> {
    await this.#apply(withPiece(this.setup, this.view, text, this.colour))
    this.moveEntry.act({ do: 'answered' })
    // The same side stays to move, so the entry is cancelled here.
    if (!this.errorText) this.moveEntry.act({ do: 'cancel' })
  }

  #apply(setup: Setup): Promise<void> {
    this.#requested = setup
    return this.#show(setupText(setup))
  }

  async #show(text: string): Promise<void> {
    try {
      const view = await this.#views.run(() => this.kernel.view(text, []))
      if (view === STALE) return
      this.view = view
      this.errorText = ''
      this.moveEntry.act({ do: 'sync' })
      await this.#judge(text)
    } catch (error) {
      this.errorText = `${t('editor.not_so')} ${faultWords(error) || errorWords(error)}`
    }
  }

  async #judge(text: string): Promise<void> {
    const reasons = await this.#statuses.run(() => this.kernel.status(text))
    if (reasons !== STALE) this.impossible = reasons
  }
}
