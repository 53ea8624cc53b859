/** Rating pools, `standard-live` and the like, in words. */
import { t, tOr } from '../i18n/index.svelte'

export const RULES = ['standard', 'basic'] as const
export const SPEEDS = ['live', 'days', 'level'] as const

export function poolWords(pool: string): string {
  const [rules = '', speed = ''] = pool.split('-')
  return `${tOr(`game.rules_${rules}`, rules)} · ${tOr(`speed.${speed}`, speed)}`
}

/** The speed alone, where the rules are shown already. */
export function speedWords(speed: (typeof SPEEDS)[number]): string {
  return t(`speed.${speed}`)
}
