/** One's games with others that wait for one's turn: the page says so everywhere, and calls whoever looks elsewhere. */
import type { ListedGame } from '../api/model'
import { t } from '../i18n/index.svelte'
import { me } from '../session/me.svelte'
import { notify } from '../session/notifications.svelte'
import { settings } from '../session/settings.svelte'
import { SynthesizedSounds } from '../ui/sounds'
import { isBetweenPeople, nameAt } from './seats'

const sounds = new SynthesizedSounds(() => settings.sounds)

interface Heard {
  /** Whose games they were. */
  readonly player: string | undefined
  /** The turns that waited. */
  readonly turns: ReadonlySet<string>
}

/** What was heard last; before the first time nobody knows what is new. */
let heard: Heard | null = $state.raw(null)

/** Among many tabs, the one that waits for its player. */
export function titleMark(): string {
  return heard?.turns.size && heard.player === me().player?.id ? '● ' : ''
}

/** Take in one's running games as they now are. */
export function updateTurnAlerts(games: readonly ListedGame[]): void {
  const player = me().player?.id
  const before = heard?.player === player ? heard?.turns : null
  const waiting = games.filter((game) => game.your_turn && !game.outcome && isBetweenPeople(game))
  const turns = new Map(waiting.map((game) => [`${game.id} ${game.ply}`, game]))
  heard = { player, turns: new Set(turns.keys()) }
  if (!before) return
  const news = [...turns].filter(([turn]) => !before.has(turn))
  if (news.length) sounds.call()
  for (const [, game] of news) call(game)
}

function call(game: ListedGame): void {
  const other = game.seats.w.player?.id === me().player?.id ? 'b' : 'w'
  notify(t('game.your_turn'), t('notify.body', { name: nameAt(game, other) }), game.id, `/game/${game.id}`)
}
