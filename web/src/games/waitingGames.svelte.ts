/**
 * The player's running games with other people that wait for their move, so that the next one is a tap or key away.
 *
 * They are loaded when a page opens or becomes visible, and after the player's own moves in games that last for days;
 * at no other time, as every open page would ask the server again and again.
 */
import { api } from '../api/client'
import { onReconnect } from '../api/connection.svelte'
import type { ListedGame } from '../api/model'
import { route } from '../browser/router.svelte'
import { safeLocalStorage } from '../browser/storage'
import { Latest, STALE } from '../requests/latest'
import { isOnline, me } from '../session/me.svelte'
import { ownGamesVersion } from './ownGames.svelte'
import { isBetweenPeople } from './seats'

let state: { readonly player: string | undefined; readonly games: readonly ListedGame[] } | null = $state.raw(null)
const requests = new Latest(() => [me().player?.id])

const PLAYING = 'punct.playing'

/** Whether the player had running games when they were last loaded: known at once, before the server answers. */
export const wasPlaying = (): boolean => safeLocalStorage.getItem(PLAYING) !== null

/** Whether a game waits for the player. */
export const waitsForPlayer = (game: ListedGame): boolean => !!game.your_turn && !game.outcome && isBetweenPeople(game)

/** The games that wait, without the one at a path; those whose time runs out first come first. */
export function waitingGames(path: string): readonly ListedGame[] {
  if (!state || state.player !== me().player?.id) return []
  return state.games.filter(({ id }) => path !== `/game/${id}`)
}

/** Set the waiting games from the player's running games. */
export function setRunningGames(games: readonly ListedGame[]): void {
  if (games.length) safeLocalStorage.setItem(PLAYING, '1')
  else safeLocalStorage.removeItem(PLAYING)
  state = { player: me().player?.id, games: games.filter(waitsForPlayer).toSorted(bySoonestDeadline) }
}

function bySoonestDeadline(one: ListedGame, two: ListedGame): number {
  return deadlineOf(one) - deadlineOf(two)
}

function deadlineOf({ deadline }: ListedGame): number {
  return deadline ? Date.parse(deadline) : Infinity
}

/** Load the waiting games again. Failures are ignored: the list is shown on the home page, with its errors. */
export async function refreshWaitingGames(): Promise<void> {
  if (!isOnline() || !me().player) return
  try {
    const page = await requests.run(() => api.runningGames())
    if (page !== STALE) setRunningGames(page.games)
  } catch {
    // The next visit tries again.
  }
}

/** Keep the waiting games up to date; called once by the page, within an effect's scope. */
export function watchWaitingGames(): () => void {
  $effect(() => {
    void route().path
    void me().player?.id
    ownGamesVersion()
    void refreshWaitingGames()
  })
  const onVisibilityChange = (): void => void (document.hidden || refreshWaitingGames())
  document.addEventListener('visibilitychange', onVisibilityChange)
  const unsubscribe = onReconnect(() => void refreshWaitingGames())
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    unsubscribe()
  }
}
