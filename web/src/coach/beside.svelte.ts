/** A coach at a game's page: beside the game while it is played, and after it with what was worth a look. */
import { untrack } from 'svelte'
import type { Shape } from '../board/model/shape'
import { readTurn } from '../board/model/turns'
import type { Suggestion } from '../board/view/Suggestions.svelte'
import type { Kernel } from '../kernel/kernel'
import type { Colour, Game, PositionView } from '../net/model'
import type { GameSource } from '../net/source'
import type { Step } from '../parts/steps'
import type { Voice } from '../parts/voice.svelte'
import Badge from './Badge.svelte'
import Bar from './Bar.svelte'
import { Coach, type Kernels } from './coach.svelte'
import { Hindsight, type KeyTurn } from './hindsight.svelte'
import Moments from './Moments.svelte'
import { foundWords, whyWords } from './words'

/** The game at a screen, as a coach sees it. */
export interface Table {
  readonly game: Game
  readonly source: GameSource
  readonly shape: Shape
  readonly voice: Voice
  /** One's own colour. */
  readonly me: Colour | null
  /** Who may enter a turn here now. */
  readonly player: Colour | null
  /** The ply looked at; null follows the game. */
  readonly looking: number | null
  readonly position: PositionView
  look(ply: number): Promise<void>
  step(step: Step): Promise<void>
}

/** On a screen as narrow as this, what is shown may have been scrolled away. */
const NARROW = '(max-width: 919px)'

export class Beside extends Coach {
  readonly Bar = Bar
  readonly Moments = Moments
  readonly Badge = Badge
  hindsight: Hindsight | null = $state.raw(null)
  readonly #end: () => void

  constructor(
    readonly table: Table,
    kernels: Kernels & { readonly looks: Kernel },
  ) {
    super(kernels, table.shape, table.voice)
    const over = $derived(table.game.outcome !== null)
    this.#end = $effect.root(() => {
      $effect(() => {
        const { player, game } = table
        if (player && !game.outcome) untrack(() => this.watch(game.view))
      })
      $effect(() => {
        if (!over) return
        const hindsight = untrack(() => this.#lookBack(kernels.looks))
        this.hindsight = hindsight
        return () => {
          hindsight?.close()
          this.hindsight = null
        }
      })
      $effect(() => {
        const found = this.hindsight?.found
        if (found) untrack(() => table.voice.say(foundWords(found.length)))
      })
    })
  }

  override close(): void {
    super.close()
    this.#end()
  }

  /** The moment on the board, if one is looked at. */
  readonly moment: KeyTurn | null = $derived.by(() => {
    const chosen = this.hindsight?.chosen ?? null
    return chosen?.ply === this.table.looking ? chosen : null
  })

  /** Whether there is something to be read in the place of the turn's tools. */
  readonly speaks: boolean = $derived.by(() => this.asked !== null || this.moment !== null)

  /** What is drawn on the board: the next turn of the line that is shown, or the better one of a moment. */
  readonly suggestions: readonly Suggestion[] = $derived.by(() => {
    if (this.shown) return this.next
    const turn = this.moment && readTurn(this.moment.better, this.table.position)
    return turn ? [{ ...turn, rank: 0 }] : []
  })

  /** The moment after the one on the board. */
  readonly after: KeyTurn | undefined = $derived.by(() => {
    const found = this.hindsight?.found ?? []
    return this.moment ? found[found.indexOf(this.moment) + 1] : undefined
  })

  get first(): Colour {
    return this.table.game.turns[0]?.colour ?? 'w'
  }

  /** Look at a moment: the position before the turn. */
  async show(moment: KeyTurn): Promise<void> {
    await this.table.look(moment.ply)
    // Another one was chosen meanwhile, or something else is looked at.
    if (!this.hindsight || this.table.looking !== moment.ply) return
    this.hindsight.chosen = moment
    this.voice.say(whyWords(moment.facts))
    if (matchMedia(NARROW).matches) scrollTo({ top: 0, behavior: 'smooth' })
  }

  #lookBack(kernel: Kernel): Hindsight | null {
    const { game, me, shape, source } = this.table
    if (!me || !game.ply) return null
    const { you } = source
    return new Hindsight(kernel, shape, {
      id: source.links.page.slice(1),
      start: game.start,
      turns: game.turns.map(({ text }) => text),
      colour: me,
      reviews: you === null || you.seats.length > 0 || you.owner ? source.reviews : null,
    })
  }
}
