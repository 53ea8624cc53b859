/** What a challenge is about, in a few words each. */
import type { Challenge } from '../../api/model'
import { other } from '../../board/view/words'
import { t } from '../../i18n/index.svelte'

/** The rules, the colour left for whoever comes, and whether it counts. */
export function termsOf({ rules, colour, rated }: Pick<Challenge, 'rules' | 'colour' | 'rated'>): string[] {
  return [
    t(`game.rules_${rules}`),
    colour ? t('challenge.you_play', { colour: t(`colour.${other(colour)}`) }) : t('challenge.colour_by_lot'),
    ...(rated ? [t('challenge.rated')] : []),
  ]
}
