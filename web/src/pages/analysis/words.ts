/** The engine's reports and the faults of a set-up position, in words. */
import { percentage, t, tOr } from '../../i18n/index.svelte'
import type { Impossible } from '../../kernel/kernel'

/** A winning chance; or in how many moves the game is decided. */
export function chanceWords(score: number, proven: number): string {
  if (proven > 0) return t('analysis.wins_in', { n: Math.ceil(proven / 2) })
  if (proven < 0) return t('analysis.loses_in', { n: Math.ceil(-proven / 2) })
  return percentage(score)
}

/** Why no game can lead to a position. */
export function impossibleWords({ code, values }: Impossible): string {
  const colour = values['colour']
  const named = colour === 'w' || colour === 'b' ? { colour: t(`colour.${colour}`) } : {}
  return tOr(`impossible.${code}`, tOr(`wrong.${code}`, code, values), { ...values, ...named })
}
