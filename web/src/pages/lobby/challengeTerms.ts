/** The terms of a challenge in words. */
import type { Challenge } from '../../api/model'
import { other } from '../../board/view/words'
import { t } from '../../i18n/index.svelte'

/** The rules, the opponent's colour, and whether it is rated. */
export function termsOf({ rules, colour, rated }: Pick<Challenge, 'rules' | 'colour' | 'rated'>): string[] {
  return [
    t(`game.rules_${rules}`),
    colour ? t('challenge.you_play', { colour: t(`colour.${other(colour)}`) }) : t('challenge.colour_by_lot'),
    ...(rated ? [t('challenge.rated')] : []),
  ]
}
