/** Loads the games of this browser: only where there are any, or where no server can be reached. */
import { notLoaded } from '../api/client'
import type * as LocalGames from './games'

export function loadLocal(): Promise<typeof LocalGames> {
  return import('./games').catch(notLoaded)
}
