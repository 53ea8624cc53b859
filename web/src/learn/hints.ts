/** Hints in steps, from a solution: first the piece, then its space, then its heading. */
import { t } from '../i18n/index.svelte'
import type { PositionView } from '../net/model'
import type { WrittenTurn } from '../board/model/turns'
import { beginningOf, type Try } from './tries'

export interface Hint {
  readonly words: string
  /** Pieces and spaces to point out, by their names. */
  readonly pointed: readonly string[]
  /** In the end the whole turn, drawn. */
  readonly turn: WrittenTurn | null
}

/** How many steps there are: none further than the try goes. */
export function stepsOf({ kind, from, to, turn }: Try): number {
  return turn ? 3 : to ? 2 : (kind ?? from) ? 1 : 0
}

/** The hint after so many steps, the first being 1. */
export function hintOf(tried: Try, steps: number, view: PositionView): Hint {
  const { source, pointed } = beginningOf(tried, view)
  const words: string[] = []
  if (source?.from === 'set') words.push(t('learn.hint_set', { kind: t(`kind.${source.kind}`) }))
  else if (source) {
    // Where it shows: its PÜNCT may lie below another piece.
    words.push(t('learn.hint_piece', { space: tried.from ?? source.space, kind: t(`kind.${source.kind}`) }))
  }
  if (steps > 1 && tried.to) words.push(t('learn.hint_space', { space: tried.to }))
  if (steps > 2 && tried.turn) words.push(t('learn.hint_heading', { heading: t(`heading.${tried.turn.heading}`) }))
  return {
    words: words.join(' '),
    pointed: steps > 1 && tried.to ? [...pointed, tried.to] : pointed,
    turn: steps > 2 ? (tried.turn ?? null) : null,
  }
}
