/** Loads a player's desk at a game, with its texts, on demand. */
import type { Component } from 'svelte'
import { notLoaded } from '../api/client'
import { openChapter } from '../i18n/index.svelte'
import type { DeskProps } from './deskGame'

export async function loadDesk(): Promise<Component<DeskProps>> {
  const [{ default: Desk }] = await Promise.all([import('./Desk.svelte').catch(notLoaded), openChapter('desk')])
  return Desk
}
