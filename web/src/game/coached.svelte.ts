/** The coach at a game's page: there while it is wanted and allowed, beside the game and, when that is over, after it. */
import { untrack } from 'svelte'
import { readTurn } from '../board/model/turns'
import type { Suggestion } from '../board/view/Suggestions.svelte'
import type { Hindsight, KeyTurn } from '../coach/hindsight.svelte'
import { type Coaching, loadCoach } from '../coach/later'
import type { PlayedGame } from './played.svelte'

export class Coached {
  /** What the coach is made of, once it is loaded. */
  parts: Coaching | null = $state.raw(null)
  hindsight: Hindsight | null = $state.raw(null)

  /** Made by a component, and there as long as that is. */
  constructor(readonly played: () => PlayedGame) {
    const wanted = $derived(played().mayCoach && played().settings.coach)
    const over = $derived(played().game.outcome !== null)
    $effect(() => {
      if (!wanted) return
      let left = false
      loadCoach().then(
        (parts) => {
          if (!left) this.#begin(parts)
        },
        // Without a kernel, or without its texts, there is simply no coach.
        () => undefined,
      )
      return () => {
        left = true
        this.#end()
      }
    })
    $effect(() => {
      const { coach, player, game } = played()
      if (coach && player && !game.outcome) untrack(() => coach.watch(game.view))
    })
    $effect(() => {
      const { parts } = this
      if (!parts || !over) return
      untrack(() => this.#lookBack(parts))
      return () => {
        this.hindsight?.close()
        this.hindsight = null
      }
    })
  }

  /** The moment on the board, if one is looked at. */
  readonly moment: KeyTurn | null = $derived.by(() => {
    const chosen = this.hindsight?.chosen ?? null
    return chosen?.ply === this.played().looking ? chosen : null
  })

  /** The better turn, drawn beside the moment. */
  readonly suggestions: readonly Suggestion[] = $derived.by(() => {
    const turn = this.moment && readTurn(this.moment.better, this.played().position)
    return turn ? [{ ...turn, rank: 0 }] : []
  })

  /** Show the next moment; undefined after the last one. */
  readonly next: (() => void) | undefined = $derived.by(() => {
    const found = this.hindsight?.found ?? []
    const after = this.moment ? found[found.indexOf(this.moment) + 1] : undefined
    return after && ((): void => void this.show(after))
  })

  /** Look at a moment: the position before the turn. */
  async show(moment: KeyTurn): Promise<void> {
    if (!this.hindsight || !this.parts) return
    await this.played().look(moment.ply)
    this.hindsight.chosen = moment
    this.played().voice.say(this.parts.whyWords(moment.facts))
  }

  #begin(parts: Coaching): void {
    const { shape, voice } = this.played()
    this.parts = parts
    this.played().coach = new parts.Coach(parts.kernels, shape, voice)
  }

  #end(): void {
    const played = this.played()
    played.coach?.close()
    played.coach = null
    this.parts = null
  }

  #lookBack({ Hindsight, kernels }: Coaching): void {
    const { game, me, shape, source } = this.played()
    if (!me || !game.ply) return
    const { you } = source
    this.hindsight = new Hindsight(kernels.looks, shape, {
      id: source.links.page.slice(1),
      start: game.start,
      turns: game.turns.map(({ text }) => text),
      colour: me,
      reviews: you === null || you.seats.length > 0 || you.owner ? source.reviews : null,
    })
  }
}
