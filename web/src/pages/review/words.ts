/** The remarks and verdicts of a review in words. */
import type { Remark } from '../../api/model'
import { chanceOf, type Evaluation, type Judgement } from '../../coach/judgements'
import { t } from '../../i18n/index.svelte'
import type { Verdict } from './mistakePractice.svelte'

/** White's winning chances for screen readers; or that they are not known yet. */
export function whiteChanceWords(chance: number | undefined): string {
  return chance === undefined
    ? `${t('analysis.chance')} ${t('analysis.unknown')}`
    : t('analysis.chance_of_white', { n: percent(chance) })
}

export function judgementWords(judgement: Judgement): string {
  return t(`review.judgement.${judgement}`)
}

/** How a move changed its player's chances. */
export function remarkWords({ colour, chance, proven, given_away, judgement }: Remark, before: Evaluation): string {
  const player = t(`colour.${colour}`)
  if (judgement === 'missed_win') {
    const n = Math.ceil(before.proven / 2)
    return Number.isFinite(n) ? t('review.won_in', { colour: player, n }) : t('review.won', { colour: player })
  }
  if (proven > 0) return t('review.player_wins', { colour: player, n: Math.ceil(proven / 2) })
  if (proven < 0) return t('review.player_loses', { colour: player, n: Math.ceil(-proven / 2) })
  const after = chanceOf(colour, chance)
  return given_away > 0 && percent(before.chance) > percent(after)
    ? t('review.falls', { colour: player, before: percent(before.chance), after: percent(after) })
    : t('review.keeps', { colour: player, after: percent(after) })
}

/** Whether a try was good, and why. */
export function verdictWords({ good, best, again, remark, evaluationBefore: before, answer }: Verdict): string {
  const words: string[] = []
  if (best) words.push(t('review.is_best'))
  else if (good) words.push(t('review.is_good'))
  else if (again) words.push(t('review.is_same'))
  else words.push(t('review.is_bad', { judgement: remark.judgement ? judgementWords(remark.judgement) : '' }))
  words.push(remarkWords(remark, before))
  if (!good && answer[0]) words.push(t('review.answer', { turn: answer[0] }))
  return words.join(' ')
}

function percent(chance: number): number {
  return Math.round(chance * 100)
}
