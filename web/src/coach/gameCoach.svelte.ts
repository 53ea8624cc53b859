/** A coach at a game's page: during the game, and after it with the key moves. */
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
import { keyMoveCountWords, factsWords } from './words'

/** The game page, as the coach needs it. */
export interface CoachContext {
  readonly game: Game
  readonly source: GameSource
  readonly shape: Shape
  readonly announcer: Announcer
  /** The player's own colour. */
  readonly me: Colour | null
  /** Who may enter a move here now. */
  readonly player: Colour | null
  /** The ply looked at; null follows the game. */
  readonly viewedPly: number | null
  readonly position: PositionView
  showPly(ply: number): Promise<void>
  step(step: Step): Promise<void>
}

/** On narrower screens the board may have been scrolled away. */
const NARROW = '(max-width: 919px)'

export class GameCoach extends Coach {
  readonly CoachBar = CoachBar
  readonly KeyMoveList = KeyMoveList
  readonly CoachBadge = CoachBadge
  keyMoveFinder: KeyMoveFinder | null = $state.raw(null)
  readonly #disposeEffects: () => void

  constructor(
    readonly context: CoachContext,
    kernels: Kernels & { readonly review: Kernel },
  ) {
    super(kernels, context.shape, context.announcer)
    const isOver = $derived(context.game.outcome !== null)
    this.#disposeEffects = $effect.root(() => {
      $effect(() => {
        const { player, game } = context
        if (player && !game.outcome) untrack(() => this.prepare(game.view))
      })
      $effect(() => {
        if (!isOver) return
        const keyMoveFinder = untrack(() => this.#findKeyMoves(kernels.review))
        this.keyMoveFinder = keyMoveFinder
        return () => {
          keyMoveFinder?.close()
          this.keyMoveFinder = null
        }
      })
      $effect(() => {
        const keyMoves = this.keyMoveFinder?.keyMoves
        if (keyMoves) untrack(() => context.announcer.say(keyMoveCountWords(keyMoves.length)))
      })
    })
  }

  override close(): void {
    super.close()
    this.#disposeEffects()
  }

  /** The key move whose position is shown, if any. */
  readonly keyMove: KeyMove | null = $derived.by(() => {
    const selected = this.keyMoveFinder?.selected ?? null
    return selected?.ply === this.context.viewedPly ? selected : null
  })

  /** Whether there is a message in the place of the move tools. */
  readonly hasMessage: boolean = $derived.by(() => this.question !== null || this.keyMove !== null)

  /** The moves drawn on the board: the next one of the variation shown, or the better one of a key move. */
  readonly suggestions: readonly Suggestion[] = $derived.by(() => {
    if (this.shownPosition) return this.nextMoves
    const move = this.keyMove && readMove(this.keyMove.better, this.context.position)
    return move ? [{ ...move, rank: 0 }] : []
  })

  /** The key move after the one shown. */
  readonly nextKeyMove: KeyMove | undefined = $derived.by(() => {
    const keyMoves = this.keyMoveFinder?.keyMoves ?? []
    return this.keyMove ? keyMoves[keyMoves.indexOf(this.keyMove) + 1] : undefined
  })

  get firstColour(): Colour {
    return this.context.game.turns[0]?.colour ?? 'w'
  }

  /** Show a key move: the position before it. */
  async show(keyMove: KeyMove): Promise<void> {
    await this.context.showPly(keyMove.ply)
    // Another one was selected meanwhile, or another position is shown.
    if (!this.keyMoveFinder || this.context.viewedPly !== keyMove.ply) return
    this.keyMoveFinder.selected = keyMove
    this.announcer.say(factsWords(keyMove.facts))
    if (matchMedia(NARROW).matches) scrollTo({ top: 0, behavior: 'smooth' })
  }

  #findKeyMoves(kernel: Kernel): KeyMoveFinder | null {
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
