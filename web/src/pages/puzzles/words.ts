/** Puzzles in words: their tasks and subjects. */
import type { Colour } from '../../api/model'
import { other } from '../../board/view/words'
import { t } from '../../i18n/index.svelte'
import type { Puzzle, PuzzlesError } from './collection'
import { isProvisional, type Rating } from './glicko'
import type { PuzzleRoute } from './puzzleSeries.svelte'
import { MISSED, type Subject, moveCountOf } from './themes'

/** What the solver is to do. */
export function taskWords({ position, goal, turns, themes, also }: Puzzle): string {
  const solver: Colour = position.split(' ')[1] === 'b' ? 'b' : 'w'
  if (goal === 'win') return t('puzzle.task.win', { colour: t(`colour.${solver}`), n: turns })
  const kind = themes.includes('centre') ? 'centre' : 'defence'
  return t(also.length ? `puzzle.task.${kind}s` : `puzzle.task.${kind}`, { colour: t(`colour.${other(solver)}`) })
}

export function subjectWords(subject: Subject | typeof MISSED): string {
  if (subject === MISSED) return t('puzzle.theme.missed')
  const moves = moveCountOf(subject)
  return moves === null ? t(`puzzle.theme.${subject as 'bridge'}`) : t('puzzle.theme.win', { n: moves })
}

/** Why there are no puzzles. */
export function fileWords({ code }: PuzzlesError): string {
  return t(`puzzle.file.${code}`)
}

/** A rating as text; a provisional one is marked. */
export function ratingWords(rating: Rating): string {
  return `${Math.round(rating.rating)}${isProvisional(rating) ? '?' : ''}`
}

/** A change with its sign: +12, −8, ±0. */
export function changeWords(change: number): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  return `${sign}${Math.abs(change)}`
}

/** Minutes and seconds, as on a clock. */
export function clockWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The name of a mode. */
export function routeWords(route: PuzzleRoute): string {
  if (route.mode === 'theme') return subjectWords(route.subject)
  return route.mode === 'one' ? t('puzzle.mode.one', { id: route.puzzle }) : t(`puzzle.mode.${route.mode}`)
}
