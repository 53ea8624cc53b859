/** Who sits where. */
import type { Colour, GameSummary, Player, You } from '../api/model'
import { t } from '../i18n/index.svelte'

/** Whether two people play, each at a screen of their own. */
export function isBetweenPeople({ seats: { w, b } }: Pick<GameSummary, 'seats'>): boolean {
  return !!w.player && !!b.player && w.player.id !== b.player.id
}

/** One's own colour, against the computer or somebody elsewhere; null when two share the screen, and to a watcher. */
export function ownColour({ seats: { w, b } }: Pick<GameSummary, 'seats'>, you: You | null): Colour | null {
  if (you) return you.seats.length === 1 ? (you.seats[0] ?? null) : null
  if (w.type === b.type) return null
  return w.type === 'person' ? 'w' : 'b'
}

/** What somebody at a seat is called. */
export function nameAt({ seats }: Pick<GameSummary, 'seats'>, colour: Colour): string {
  const { type, name, level, player } = seats[colour]
  if (player) return playerName(player)
  if (name) return name
  return type === 'engine' ? t('game.level', { level: level ?? 1 }) : t(`colour.${colour}`)
}

/** What the server says about a player beside their name: others may bear any name, but not pass for somebody else. */
export function tagOf({ name, kind }: Pick<Player, 'name' | 'kind'>): 'bot' | 'guest' | null {
  if (kind === 'bot') return kind
  // Whoever has no name is called a guest anyway.
  return kind === 'guest' && name ? kind : null
}

/** What a player is called; guests need no name. */
export function playerName({ name }: Pick<Player, 'name'>): string {
  return name || t('name.guest')
}
