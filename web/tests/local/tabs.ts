/** Tabs of one browser, each with a store of its own over the same database; and games to put there. */
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { LocalGame } from '../../src/local/game'
import type { KeptGame } from '../../src/local/kept'
import { DATABASE } from '../../src/local/name'
import { Store } from '../../src/local/store'
import type { Remark } from '../../src/net/model'
import { kernel } from '../inside'

const PERSON = { type: 'person', name: null, level: null } as const
export const ENGINE = { type: 'engine', name: null, level: 1 } as const
const WHEN = '2026-11-16T12:00:00.000Z'

export const ID = 'c0ffee00c0ffee00c0ffee00c0ffee00'

export function kept(changes: Partial<KeptGame> = {}, turns = ''): KeptGame {
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

const tabs: Store[] = []

export function tab(): Store {
  const opened = new Store()
  tabs.push(opened)
  return opened
}

/** Close all tabs: a database that is open cannot be thrown away. */
export async function closeTabs(): Promise<void> {
  await Promise.all(tabs.splice(0).map((opened) => opened.close()))
}

/** The game that a tab keeps, as a page shows it. */
export async function opened(store: Store, id = ID): Promise<LocalGame> {
  const found = await store.get(id)
  return LocalGame.open(store, { plays: kernel(), hints: kernel() }, async () => '/local/next', found as KeptGame)
}
