/** A coach at a game's page: beside the game while it is played, and after it with what was worth a look. */
import { untrack } from 'svelte'
import type { GameSource } from '../api/gameSource'
import type { Colour, Game, PositionView } from '../api/model'
import { readMove } from '../board/model/moves'
import type { Shape } from '../board/model/shape'
import type { Suggestion } from '../board/view/Suggestions.svelte'
import type { Kernel } from '../kernel/kernel'
import type { Announcer } from '../ui/announcer.svelte'
import type { Step } from '../ui/steps'
import { Coach, type Kernels } from './coach.svelte'
import CoachBadge from './CoachBadge.svelte'
import CoachBar from './CoachBar.svelte'
import KeyMoveList from './KeyMoveList.svelte'
import { type KeyMove, KeyMoveFinder } from './keyMoves.svelte'
import { foundWords, whyWords } from './words'

/** The game at a screen, as a coach sees it. */
export interface CoachContext {
  readonly game: Game
  readonly source: GameSource
  readonly shape: Shape
  readonly announcer: Announcer
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

export class GameCoach extends Coach {
  readonly CoachBar = CoachBar
  readonly KeyMoveList = KeyMoveList
  readonly CoachBadge = CoachBadge
  keyMoveFinder: KeyMoveFinder | null = $state.raw(null)
  readonly #end: () => void

  constructor(
    readonly context: CoachContext,
    kernels: Kernels & { readonly looks: Kernel },
  ) {
    super(kernels, context.shape, context.announcer)
    const over = $derived(context.game.outcome !== null)
    this.#end = $effect.root(() => {
      $effect(() => {
        const { player, game } = context
        if (player && !game.outcome) untrack(() => this.watch(game.view))
      })
      $effect(() => {
        if (!over) return
        const keyMoveFinder = untrack(() => this.#lookBack(kernels.looks))
        this.keyMoveFinder = keyMoveFinder
        return () => {
          keyMoveFinder?.close()
          this.keyMoveFinder = null
        }
      })
      $effect(() => {
        const found = this.keyMoveFinder?.found
        if (found) untrack(() => context.announcer.say(foundWords(found.length)))
      })
    })
  }

  override close(): void {
    super.close()
    this.#end()
  }

  /** The moment on the board, if one is looked at. */
  readonly keyMove: KeyMove | null = $derived.by(() => {
    const chosen = this.keyMoveFinder?.chosen ?? null
    return chosen?.ply === this.context.looking ? chosen : null
  })

  /** Whether there is something to be read in the place of the turn's tools. */
  readonly speaks: boolean = $derived.by(() => this.asked !== null || this.keyMove !== null)

  /** What is drawn on the board: the next turn of the line that is shown, or the better one of a moment. */
  readonly suggestions: readonly Suggestion[] = $derived.by(() => {
    if (this.shown) return this.next
    const turn = this.keyMove && readMove(this.keyMove.better, this.context.position)
    return turn ? [{ ...turn, rank: 0 }] : []
  })

  /** The moment after the one on the board. */
  readonly after: KeyMove | undefined = $derived.by(() => {
    const found = this.keyMoveFinder?.found ?? []
    return this.keyMove ? found[found.indexOf(this.keyMove) + 1] : undefined
  })

  get first(): Colour {
    return this.context.game.turns[0]?.colour ?? 'w'
  }

  /** Look at a moment: the position before the turn. */
  async show(keyMove: KeyMove): Promise<void> {
    await this.context.look(keyMove.ply)
    // Another one was chosen meanwhile, or something else is looked at.
    if (!this.keyMoveFinder || this.context.looking !== keyMove.ply) return
    this.keyMoveFinder.chosen = keyMove
    this.announcer.say(whyWords(keyMove.facts))
    if (matchMedia(NARROW).matches) scrollTo({ top: 0, behavior: 'smooth' })
  }

  #lookBack(kernel: Kernel): KeyMoveFinder | null {
    const { game, me, shape, source } = this.context
    if (!me || !game.ply) return null
    const { you } = source
    return new KeyMoveFinder(kernel, shape, {
      id: source.links.page.slice(1),
      start: game.start,
      turns: game.turns.map(({ text }) => text),
      colour: me,
      reviews: you === null || you.seats.length > 0 || you.owner ? source.reviews : null,
    })
  }
}
