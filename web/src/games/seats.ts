/** The seats of a game. */
import type { Colour, GameSummary, Player, You } from '../api/model'
import { t } from '../i18n/index.svelte'

/** Whether two people play at two screens. */
export function isBetweenPeople({ seats: { w, b } }: Pick<GameSummary, 'seats'>): boolean {
  return !!w.player && !!b.player && w.player.id !== b.player.id
}

/**
 * The player's own colour, against the computer or another person; null when two share the screen, and for a spectator.
 */
export function ownColour({ seats: { w, b } }: Pick<GameSummary, 'seats'>, you: You | null): Colour | null {
  if (you) return you.seats.length === 1 ? (you.seats[0] ?? null) : null
  if (w.type === b.type) return null
  return w.type === 'person' ? 'w' : 'b'
}

/** The name of whoever has a seat. */
export function seatName({ seats }: Pick<GameSummary, 'seats'>, colour: Colour): string {
  const { type, name, level, player } = seats[colour]
  if (player) return playerName(player)
  if (name) return name
  return type === 'engine' ? t('game.level', { level: level ?? 1 }) : t(`colour.${colour}`)
}

/** The tag beside a player's name, set by the server: anybody may take any name, but not pass for somebody else. */
export function tagOf({ name, kind }: Pick<Player, 'name' | 'kind'>): 'bot' | 'guest' | null {
  if (kind === 'bot') return kind
  // Players without a name are called guests anyway.
  return kind === 'guest' && name ? kind : null
}

/** A player's name; guests need none. */
export function playerName({ name }: Pick<Player, 'name'>): string {
  return name || t('name.guest')
}
