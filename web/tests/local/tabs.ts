/** Tabs of one browser, each with a store of its own over the same database; and games to put there. */
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import type { Remark } from '../../src/api/model'
import { DATABASE } from '../../src/local/database'
import { LocalGame } from '../../src/local/game'
import { GameStore } from '../../src/local/gameStore'
import type { SavedGame } from '../../src/local/savedGame'
import { kernel } from '../support/realKernel'

const PERSON = { type: 'person', name: null, level: null } as const
export const ENGINE = { type: 'engine', name: null, level: 1 } as const
const WHEN = '2026-11-16T12:00:00.000Z'

export const ID = 'c0ffee00c0ffee00c0ffee00c0ffee00'

export function kept(changes: Partial<SavedGame> = {}, turns = ''): SavedGame {
  return {
    id: ID,
    start: 'standard w',
    seats: { w: PERSON, b: PERSON },
    turns: turns
      .split(' ')
      .filter(Boolean)
      .map((text) => ({ text, at: WHEN })),
    undone: [],
    turn: 'w',
    outcome: null,
    revision: 1,
    created: WHEN,
    updated: WHEN,
    sent: null,
    ...changes,
  }
}

/** What a review says about a turn. */
export function remark(ply: number, turn: string): Remark {
  return { ply, colour: 'w', turn, chance: 0.5, given_away: 0, proven: 0, judgement: null, best: [turn] }
}

/** A browser that keeps nothing yet. */
export async function freshBrowser(): Promise<void> {
  await deleteDB(DATABASE)
}

const tabs: GameStore[] = []

export function tab(): GameStore {
  const opened = new GameStore()
  tabs.push(opened)
  return opened
}

/** Close all tabs: a database that is open cannot be thrown away. */
export async function closeTabs(): Promise<void> {
  await Promise.all(tabs.splice(0).map((opened) => opened.close()))
}

/** The game that a tab keeps, as a page shows it. */
export async function opened(store: GameStore, id = ID): Promise<LocalGame> {
  const found = await store.get(id)
  return LocalGame.open(store, { moves: kernel(), hints: kernel() }, async () => '/local/next', found as SavedGame)
}
