/** A finished game that is opened for its review: looked at move by move, or as it was kept; and kept with the game. */
import { sessionShelf } from '../browser/storage'
import { Shape } from '../board/model/shape'
import { factsOf } from '../coach/facts'
import { reviewedCase } from '../coach/hindsight.svelte'
import { prospectBefore, type Reviewed } from '../coach/judging'
import { type Moment, momentsOf, NODES, Reviewing } from '../coach/reviewing.svelte'
import { forgetLooked, noteLooked, recallLooked, type Sitting } from '../coach/unfinished'
import { whyWords } from '../coach/words'
import { t } from '../i18n/index.svelte'
import { openKernel } from '../kernel/kernel'
import type { Colour, Game, Remark } from '../net/model'
import type { Reviews } from '../net/source'
import { errorWords } from '../parts/errors'
import { judgedBy } from '../parts/judge'
import { openGame } from '../parts/opening'
import { nameAt, ownColour } from '../parts/seats'
import { settings } from '../parts/settings.svelte'
import type { Voice } from '../parts/voice.svelte'
import type { Ticket } from '../requests/latest'
import { annotated, gameTree, mainPath } from './model/annotated'
import { Studying } from './studying.svelte'
import { judgementWords, remarkWords } from './words'

/** What the address asks for. */
export interface Wanted {
  /** How many nodes each position is looked at for; null if it does not say. */
  readonly nodes: number | null
  /** After which of so many moves the game is shown. */
  readonly ply: (moves: number) => number
}

/** A review as it was kept with the game. */
interface Kept {
  readonly review: Reviewed
  readonly nodes: number
}

/** The game is still being played. */
export const NOT_OVER = Symbol('not over')

/** What stands on the page once the game is there. */
interface Found {
  readonly game: Game
  readonly turns: readonly string[]
  readonly moments: readonly Moment[]
  readonly study: Studying
  readonly reviewing: Reviewing
  readonly sitting: Sitting
  readonly shape: Shape
  /** One's own colour; null for whoever may choose. */
  readonly me: Colour | null
  /** Where the review is kept with the game: only who played it may do that. */
  readonly reviews: Reviews | null
}

/** Open a game, `game/ID` or `local/ID`, for its review; null if by then the page has gone elsewhere. */
export async function openReview(
  id: string,
  wanted: Wanted,
  voice: Voice,
  ticket: Ticket,
): Promise<ReviewedGame | typeof NOT_OVER | null> {
  const [where, name = ''] = id.split('/')
  const [kernel, source] = await Promise.all([openKernel(), openGame(name, where === 'local', '/review')])
  if (!source) return null
  const { game, you } = source
  const before = (await source.reviews?.kept()) ?? null
  if (ticket.stale) return null
  if (!game.outcome) return NOT_OVER
  const turns = game.turns.map(({ text }) => text)
  const [shape, moments] = await Promise.all([
    kernel.board().then((told) => new Shape(told)),
    momentsOf(kernel, game.start, turns),
  ])
  const at = wanted.ply(turns.length)
  const view = await kernel.view(game.start, turns.slice(0, at))
  if (ticket.stale) return null
  const tags = [
    ['White', nameAt(game, 'w')],
    ['Black', nameAt(game, 'b')],
  ] as const
  const tree = gameTree(game.start, game.turns, tags)
  const sitting = { game: id, turns, nodes: wanted.nodes ?? NODES }
  const found = {
    game,
    turns,
    moments,
    shape,
    sitting,
    me: ownColour(game, you),
    study: new Studying(shape, view, { tree, path: mainPath(at) }, () => settings, judgedBy(kernel), voice),
    reviewing: new Reviewing(kernel, turns, moments, sitting.nodes, recallLooked(sessionShelf, sitting)),
    reviews: you === null || you.seats.length > 0 || you.owner ? source.reviews : null,
  }
  // What is kept does, unless somebody wants a closer look than that was.
  const kept = before && before.nodes >= (wanted.nodes ?? 0) ? { review: before, nodes: before.nodes } : null
  return new ReviewedGame(found, kept)
}

export class ReviewedGame {
  /** Why the review is not finished, or not kept. */
  trouble = $state('')
  /** What the coach has to say about grave moves that were looked at, by their plies. */
  said: Readonly<Record<number, string>> = $state.raw({})
  #closed = false

  constructor(
    readonly found: Found,
    readonly kept: Kept | null,
  ) {}

  get review(): Reviewed | null {
    return this.kept?.review ?? this.found.reviewing.review
  }

  get finished(): boolean {
    return this.kept !== null || this.found.reviewing.finished
  }

  get nodes(): number {
    return this.kept?.nodes ?? this.found.reviewing.nodes
  }

  /** Show what is kept, or begin to look. */
  begin(): void {
    if (this.kept) this.#annotate()
    else void this.run()
  }

  close(): void {
    this.#closed = true
    this.found.reviewing.stop()
  }

  /** Look on, from where it was stopped. */
  async run(): Promise<void> {
    const { reviewing, sitting } = this.found
    try {
      const all = await reviewing.run((looked) => noteLooked(sessionShelf, sitting, looked))
      if (!all || this.#closed) return
      this.#annotate()
      await this.keep()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Say what went wrong, if anybody is still here. */
  fail(error: unknown): void {
    if (!this.#closed) this.trouble = errorWords(error)
  }

  #annotate(): void {
    const found = this.review
    if (!found) return
    const words = (remark: Remark): string => {
      const judgement = remark.judgement ? judgementWords(remark.judgement) : ''
      return `${judgement}. ${remarkWords(remark, prospectBefore(found, remark.ply))}`
    }
    this.found.study.amend((tree) => annotated(tree, found.turns, words))
  }

  /** Keep it with the game, so that it opens at once next time. */
  async keep(): Promise<void> {
    const { reviews, reviewing, sitting } = this.found
    const found = reviewing.review
    if (!reviews || !found) return
    try {
      await reviews.keep(sitting.nodes, found)
      forgetLooked(sessionShelf, sitting.game)
      if (!this.#closed) this.trouble = ''
    } catch (error) {
      if (!this.#closed) this.trouble = `${t('review.not_kept')} ${errorWords(error)}`
    }
  }

  /** Have the coach say what is wrong with a move, once. */
  async tell(ply: number): Promise<void> {
    const { game, turns, shape } = this.found
    const { review } = this
    if (!review || ply in this.said) return
    this.said = { ...this.said, [ply]: '' }
    try {
      // With a kernel of its own: whoever goes on quickly is not told half of it.
      const about = await reviewedCase(await openKernel(), { start: game.start, turns }, review, ply, NODES)
      // How the chances fell, or what was missed, stands there already.
      const [first, ...rest] = factsOf(shape, about)
      const known = first?.fact === 'falls' || first?.fact === 'could_force'
      const facts = known ? rest : [first, ...rest].filter((fact) => fact !== undefined)
      if (facts.length) this.said = { ...this.said, [ply]: whyWords(facts) }
    } catch {
      // The remark stands without it.
    }
  }
}
