/** Loads what switches Web Push on and off, when it is needed: most visitors never do. */
import { notLoaded } from '../api/client'
import type * as Push from './push'

export function loadPush(): Promise<typeof Push> {
  return import('./push').catch(notLoaded)
}
