/**
 * Alerts when games with other people wait for the player's move: a mark in the page's title, a sound, a notification.
 */
import type { ListedGame } from '../api/model'
import { t } from '../i18n/index.svelte'
import { me } from '../session/me.svelte'
import { notify } from '../session/notifications.svelte'
import { settings } from '../session/settings.svelte'
import { SynthesizedSounds } from '../ui/sounds'
import { seatName } from './seats'
import { speedOf } from './timeControl'
import { setRunningGames, waitsForPlayer } from './waitingGames.svelte'

const sounds = new SynthesizedSounds(() => settings.sounds)

interface WaitingMoves {
  /** The player whose games they are. */
  readonly player: string | undefined
  /** The waiting moves, as game id and ply. */
  readonly keys: ReadonlySet<string>
}

/** The waiting moves of the last update; null before the first, when nothing counts as new. */
let waitingMoves: WaitingMoves | null = $state.raw(null)

/** The mark in the title of a tab whose player is to move. */
export function titleMark(): string {
  return waitingMoves?.keys.size && waitingMoves.player === me().player?.id ? '● ' : ''
}

/** Update the alerts from the player's running games. */
export function updateTurnAlerts(games: readonly ListedGame[]): void {
  setRunningGames(games)
  const player = me().player?.id
  const previous = waitingMoves?.player === player ? waitingMoves?.keys : null
  const gamesByKey = new Map(games.filter(waitsForPlayer).map((game) => [`${game.id} ${game.ply}`, game]))
  waitingMoves = { player, keys: new Set(gamesByKey.keys()) }
  if (!previous) return
  const newEntries = [...gamesByKey].filter(([turn]) => !previous.has(turn))
  if (newEntries.length) sounds.alert()
  for (const [, game] of newEntries) notifyPlayer(game)
}

function notifyPlayer(game: ListedGame): void {
  const other = game.seats.w.player?.id === me().player?.id ? 'b' : 'w'
  notify(
    t('game.your_turn'),
    t('notify.body', { name: seatName(game, other) }),
    game.id,
    speedOf(game.time),
    `/game/${game.id}`,
  )
}
