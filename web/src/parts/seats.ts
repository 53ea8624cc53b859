/** Who sits where. */
import { t } from '../i18n/index.svelte'
import type { Colour, GameSummary, Player } from '../net/model'

/** What somebody at a seat is called. */
export function nameAt({ seats }: Pick<GameSummary, 'seats'>, colour: Colour): string {
  const { type, name, level, player } = seats[colour]
  if (player) return playerName(player)
  if (name) return name
  return type === 'engine' ? t('game.level', { level: level ?? 1 }) : t(`colour.${colour}`)
}

/** What a player is called; guests need no name. */
export function playerName({ name }: Pick<Player, 'name'>): string {
  return name || t('name.guest')
}
