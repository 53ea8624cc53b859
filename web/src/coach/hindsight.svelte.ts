/** A game that is over: its moments worth a look, found in the background, at most three of them. */
import scale from '../../../src/punct/analysis/scale.json'
import { sessionShelf } from '../browser/storage'
import type { Shape } from '../board/model/shape'
import type { Kernel, Task } from '../kernel/kernel'
import type { Colour, Remark } from '../net/model'
import type { Reviews } from '../net/source'
import { errorWords } from '../parts/errors'
import { givenAway, lostAnyway } from './advising'
import { type Fact, factsOf } from './facts'
import { prospectBefore, type Reviewed } from './judging'
import { momentsOf, NODES, Reviewing } from './reviewing.svelte'
import { caseOf, type Case, looking, sightOf } from './seeing'
import { forgetLooked, noteLooked, recallLooked } from './unfinished'

/** As many as somebody remembers. */
export const MOST = 3
/** So many candidates are looked at from closer by: some of them turn out not to be worth it. */
const CANDIDATES = 2 * MOST
/** A turn that gave away less is not worth a look. */
export const WORTH = scale.judgements.mistake.given_away

/** A turn of the player's that mattered. */
export interface KeyTurn {
  /** Turns before it. */
  readonly ply: number
  readonly turn: string
  /** What could have been played. */
  readonly better: string
  readonly facts: readonly Fact[]
}

/** The turns of a player that gave away the most, the worst first. */
export function candidates({ turns }: Reviewed, colour: Colour): Remark[] {
  return turns
    .filter((turn) => turn.colour === colour && turn.judgement && turn.given_away >= WORTH)
    .sort((one, another) => another.given_away - one.given_away)
    .slice(0, CANDIDATES)
}

/** A turn of a reviewed game with everything about it. */
export async function reviewedCase(
  kernel: Kernel,
  { start, turns }: Task,
  review: Reviewed,
  ply: number,
  nodes: number,
): Promise<Case> {
  const [before, after] = await Promise.all([
    sightOf(kernel, start, ...turns.slice(0, ply)),
    sightOf(kernel, start, ...turns.slice(0, ply + 1)),
  ])
  return caseOf(kernel, before, after, prospectBefore(review, ply), looking(kernel, nodes))
}

/** The moments worth a look, in the order of the game. */
export async function keyTurns(
  kernel: Kernel,
  shape: Shape,
  game: Task,
  review: Reviewed,
  colour: Colour,
  nodes: number,
  wanted: () => boolean = () => true,
): Promise<KeyTurn[]> {
  const found: KeyTurn[] = []
  for (const { ply, turn, best } of candidates(review, colour)) {
    if (found.length === MOST || !wanted()) break
    // A chance that was missed again and again is told once.
    if (found.some(({ better }) => better === best[0])) continue
    const about = await reviewedCase(kernel, game, review, ply, nodes)
    // As before a question: what turns out to have been lost anyway, or not to have been there, is not worth a look.
    if (lostAnyway(about) || givenAway(about) < WORTH) continue
    found.push({ ply, turn, better: best[0] ?? '', facts: factsOf(shape, about) })
  }
  return found.sort((one, another) => one.ply - another.ply)
}

/** What is looked back at. */
export interface Finished extends Task {
  /** Who keeps it, and its id there: as in its address. */
  readonly id: string
  readonly colour: Colour
  /** Where its review is kept; null where it may not be. */
  readonly reviews: Reviews | null
}

export class Hindsight {
  /** Null until all is known. */
  found: readonly KeyTurn[] | null = $state.raw(null)
  /** Which of them is on the board. */
  chosen: KeyTurn | null = $state.raw(null)
  trouble = $state('')
  #reviewing: Reviewing | null = $state.raw(null)
  #closed = false

  constructor(
    readonly kernel: Kernel,
    readonly shape: Shape,
    readonly game: Finished,
    readonly nodes = NODES,
  ) {
    void this.#run()
  }

  /** How many positions were looked at, and how many there are. */
  readonly progress = $derived.by(() => ({
    n: this.#reviewing?.looked.length ?? 0,
    all: this.game.turns.length + 1,
  }))

  close(): void {
    this.#closed = true
    this.#reviewing?.stop()
  }

  async #run(): Promise<void> {
    try {
      const review = await this.#review()
      if (!review || this.#closed) return
      const wanted = (): boolean => !this.#closed
      const found = await keyTurns(this.kernel, this.shape, this.game, review, this.game.colour, this.nodes, wanted)
      if (wanted()) this.found = found
    } catch (error) {
      if (!this.#closed) this.trouble = errorWords(error)
    }
  }

  /** The review of the game: kept from before, or made now and kept, so that its page opens at once. */
  async #review(): Promise<Reviewed | null> {
    const { id, start, turns, reviews } = this.game
    const kept = await reviews?.kept().catch(() => null)
    if (kept && kept.nodes >= this.nodes) return kept
    const sitting = { game: id, turns, nodes: this.nodes }
    const moments = await momentsOf(this.kernel, start, turns)
    if (this.#closed) return null
    const reviewing = new Reviewing(this.kernel, turns, moments, this.nodes, recallLooked(sessionShelf, sitting))
    this.#reviewing = reviewing
    if (!(await reviewing.run((looked) => noteLooked(sessionShelf, sitting, looked)))) return null
    const { review } = reviewing
    // If it cannot be kept, this window still has what was looked at.
    if (review) {
      await reviews?.keep(this.nodes, review).then(
        () => forgetLooked(sessionShelf, id),
        () => undefined,
      )
    }
    return review
  }
}
