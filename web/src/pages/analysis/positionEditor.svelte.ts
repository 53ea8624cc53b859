/** Setting up a position: the board takes pieces of either colour anywhere; what makes no sense is said at once. */
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
  /** Whose pieces are taken and moved. */
  colour: Colour = $state('w')
  /** Why the last change was not made. */
  trouble = $state('')
  impossible: readonly Impossible[] = $state.raw([])
  readonly turn: MoveEntry
  readonly #views = new Latest()
  readonly #statuses = new Latest(() => [this.view])

  constructor(
    readonly shape: Shape,
    readonly kernel: Kernel,
    view: PositionView,
  ) {
    this.view = view
    this.colour = view.turn
    this.turn = new MoveEntry(() => this.situation, {
      onAct: () => (this.trouble = ''),
      onPlay: (text) => void this.#lay(text),
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

  get setup(): Setup {
    return setupOf(this.view)
  }

  /** The position, once it can be played from. */
  readonly words: readonly string[] = $derived.by(() => this.impossible.map(impossibleWords))

  /** Whose turn it is, and which game. */
  change(wanted: Partial<Pick<Setup, 'turn' | 'rules'>>): Promise<void> {
    return this.#to({ ...this.setup, ...wanted })
  }

  /** Take the chosen piece away. */
  async remove(): Promise<void> {
    const source = this.turn.entry.source
    if (source?.from !== 'board') return
    this.turn.act({ do: 'cancel' })
    await this.#to(withoutPiece(this.setup, source.space, source.kind))
  }

  clear(): Promise<void> {
    return this.#to({ ...this.setup, pieces: [] })
  }

  /** Begin with a position as it is written. */
  read(text: string): Promise<void> {
    return this.#show(text)
  }

  async #lay(text: string): Promise<void> {
    await this.#to(withPiece(this.setup, this.view, text, this.colour))
    this.turn.act({ do: 'answered' })
    // Nobody else's turn comes, which would take the piece out of the hand.
    if (!this.trouble) this.turn.act({ do: 'cancel' })
  }

  #to(setup: Setup): Promise<void> {
    return this.#show(setupText(setup))
  }

  async #show(text: string): Promise<void> {
    try {
      const view = await this.#views.run(() => this.kernel.view(text, []))
      if (view === STALE) return
      this.view = view
      this.trouble = ''
      this.turn.act({ do: 'sync' })
      await this.#judge(text)
    } catch (error) {
      this.trouble = `${t('editor.not_so')} ${faultWords(error) || errorWords(error)}`
    }
  }

  async #judge(text: string): Promise<void> {
    const found = await this.#statuses.run(() => this.kernel.status(text))
    if (found !== STALE) this.impossible = found
  }
}
