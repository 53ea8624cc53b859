/** Loads what switches Web Push on and off, when it is needed: most visitors never do. */
import { ApiError, OFFLINE } from '../api/client'
import type * as Push from './push'

export function loadPush(): Promise<typeof Push> {
  return import('./push').catch(() => {
    throw new ApiError(0, OFFLINE, 'A part of the page could not be loaded.')
  })
}
