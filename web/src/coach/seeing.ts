/**
 * A turn with everything that is known about it: what was there before, what it led to, how the other side would
 * answer, and what would have been better. Whatever is said about a turn is read from this, and from nothing else.
 */
import { other } from '../board/view/words'
import type { Insight, Kernel, Search } from '../kernel/kernel'
import type { Colour, PositionView } from '../net/model'
import { type Looked, type Prospect, prospectOf } from './judging'
import { lookAt } from './reviewing.svelte'

/** A position as words are made from it. */
export interface Sight {
  readonly view: PositionView
  readonly insight: Insight
}

export interface Case {
  readonly colour: Colour
  /** As it is written. */
  readonly turn: string
  readonly before: Sight
  readonly after: Sight
  /** What there was for the player before the turn. */
  readonly had: Prospect
  /** What the opponent has after it; null where nobody has looked. */
  readonly left: Prospect | null
  /** How the opponent would answer; null where the game is over, or nobody has looked. */
  readonly answer: { readonly turn: string; readonly sight: Sight } | null
  /** The best turn there was, and what it would have left the opponent; null where it is the one that was played. */
  readonly better: { readonly turn: string; readonly sight: Sight; readonly left: Prospect } | null
}

/** See a position after a turn, or as it is. */
export async function sightOf(kernel: Kernel, text: string, ...turns: readonly string[]): Promise<Sight> {
  const [view, insight] = await Promise.all([kernel.view(text, turns), kernel.insight(text, turns)])
  return { view, insight }
}

/** Looks for so many nodes at whatever it is given; `begun` hears of each search, to end it. */
export type Look = (view: PositionView) => Promise<Looked>

export function looking(kernel: Kernel, nodes: number, begun?: (search: Search) => void): Look {
  return (view) => lookAt(kernel, view, nodes, begun)
}

/** What the best turn there was would have left the opponent, seen and looked at as long as the turn itself. */
export async function betterOf(
  kernel: Kernel,
  before: PositionView,
  best: string,
  look: Look,
): Promise<Case['better']> {
  const sight = await sightOf(kernel, before.text, best)
  return { turn: best, sight, left: prospectOf(await look(sight.view)) }
}

/** Everything about a turn; `better` may be known from before. */
export async function caseOf(
  kernel: Kernel,
  before: Sight,
  after: Sight,
  had: Prospect,
  look: Look,
  better: () => Promise<Case['better']> = async () =>
    had.best[0] ? betterOf(kernel, before.view, had.best[0], look) : null,
): Promise<Case> {
  const turn = after.view.last?.text ?? ''
  const left = prospectOf(await look(after.view))
  const answer = left.best[0]
  return {
    colour: other(after.view.turn),
    turn,
    before,
    after,
    had,
    left,
    answer: answer ? { turn: answer, sight: await sightOf(kernel, after.view.text, answer) } : null,
    better: turn === had.best[0] ? null : await better(),
  }
}
