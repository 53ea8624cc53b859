/** Hints in steps, from a solution: first the piece, then its space, then its heading. */
import type { PositionView } from '../api/model'
import type { WrittenMove } from '../board/model/moves'
import { t } from '../i18n/index.svelte'
import { pieceOf, type SolutionStep } from './solutionStep'

export interface Hint {
  readonly words: string
  /** Pieces and spaces to highlight, by their names. */
  readonly highlights: readonly string[]
  /** In the last step the whole move, to be drawn. */
  readonly move: WrittenMove | null
}

/** How many steps there are: none further than the solution goes. */
export function stepsOf({ kind, from, to, move }: SolutionStep): number {
  return move ? 3 : to ? 2 : (kind ?? from) ? 1 : 0
}

/** The hint after so many steps, the first being 1. */
export function hintOf(solution: SolutionStep, steps: number, view: PositionView): Hint {
  const { source, highlights } = pieceOf(solution, view)
  const words: string[] = []
  if (source?.from === 'set') words.push(t('learn.hint_set', { kind: t(`kind.${source.kind}`) }))
  else if (source) {
    // Where the piece shows: its PÜNCT may lie below another piece.
    words.push(t('learn.hint_piece', { space: solution.from ?? source.space, kind: t(`kind.${source.kind}`) }))
  }
  if (steps > 1 && solution.to) words.push(t('learn.hint_space', { space: solution.to }))
  if (steps > 2 && solution.move)
    words.push(t('learn.hint_heading', { heading: t(`heading.${solution.move.heading}`) }))
  return {
    words: words.join(' '),
    highlights: steps > 1 && solution.to ? [...highlights, solution.to] : highlights,
    move: steps > 2 ? (solution.move ?? null) : null,
  }
}
