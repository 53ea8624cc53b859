/** The games in this browser: begun, found, listed, handed to the server. Loaded where there are any, or no server. */
import { analysis } from '../api/analysis'
import { api, ApiError, newKey } from '../api/client'
import type { GameSource } from '../api/gameSource'
import type { Colour, LevelResult, ListedGame, NewGame, PositionView } from '../api/model'
import { persist } from '../browser/storage'
import { openKernel } from '../kernel/kernel'
import { LocalGame } from './game'
import { summaryOf, textsOf } from './gameState'
import { GameStore } from './gameStore'
import { recordOf } from './record'
import { resultsOf } from './results'
import { isUploaded, type SavedGame, type SavedSeat, type UploadedGame } from './savedGame'
import { uploadAll } from './upload'

export const store = new GameStore()

type Seat = NonNullable<NewGame['seats']>['w']

function seatOf({ type, name, level }: NonNullable<Seat>): SavedSeat {
  return type === 'engine'
    ? { type, name: name ?? null, level: level ?? 1 }
    : { type: 'person', name: name ?? null, level: null }
}

/**
 * Begin a game; returns its address. `asked` is the key under which the server was asked for the same game and did not
 * answer: perhaps it has begun it, and then that is this one.
 */
export async function begin(wanted: Partial<NewGame>, asked: string | null = null): Promise<string> {
  const { rules, position, seats } = wanted
  const kernel = await openKernel()
  const { view } = await kernel.game(position ?? rules ?? 'standard', [])
  const now = new Date().toISOString()
  const game: SavedGame = {
    id: newKey(),
    start: view.text,
    seats: { w: seatOf(seats?.w ?? { type: 'person' }), b: seatOf(seats?.b ?? { type: 'person' }) },
    turns: [],
    undone: [],
    turn: view.turn,
    outcome: view.outcome,
    revision: 1,
    created: now,
    updated: now,
    sent: asked ? { key: asked, times: 0, revision: 1, body: wanted } : null,
  }
  await store.add(game)
  void persist()
  return `/local/${game.id}`
}

/** A game to be shown; or where the server keeps it now. */
export async function open(id: string): Promise<GameSource | UploadedGame> {
  const found = await existing(id)
  if (isUploaded(found)) return found
  const [plays, hints] = await Promise.all([openKernel(), openKernel()])
  return LocalGame.open(store, { plays, hints }, begin, found)
}

/** A game's record. */
export async function record(id: string): Promise<string> {
  const found = await existing(id)
  if (isUploaded(found)) throw new ApiError(404, 'unknown_game', 'The server keeps this game now.')
  return recordOf(found)
}

/** A game in a list, with its position. */
export interface ListedLocalGame extends ListedGame {
  /** Its last position; rejects if it cannot be shown. */
  position(): Promise<PositionView>
}

/** All games that are kept here, the last played first. */
export interface LocalGameList {
  readonly games: readonly ListedLocalGame[]
  /** The ids of what cannot be read any more. */
  readonly damaged: readonly string[]
  /** How those ended that were played against the computer. */
  readonly results: readonly LevelResult[]
}

export async function list(): Promise<LocalGameList> {
  const { games, damaged } = await store.all()
  return { games: games.map(listed), damaged, results: resultsOf(games) }
}

function listed(kept: SavedGame): ListedLocalGame {
  const { seats, turn, outcome } = kept
  return {
    ...summaryOf(kept),
    your_turn: !outcome && seats[turn as Colour].type === 'person',
    position: async () => (await openKernel()).view(kept.start, textsOf(kept.turns)),
  }
}

/** Whether there is anything that the server should have. */
export async function hasUploads(): Promise<boolean> {
  return (await store.all()).games.length > 0 || (await store.reviews()).length > 0
}

/** Give all of that to the server; returns what it refused, if anything. */
export function uploadEverything(): Promise<ApiError | null> {
  return uploadAll(store, { create: api.create, remove: api.remove, keepReview: analysis.saveReview })
}

async function existing(id: string): Promise<SavedGame | UploadedGame> {
  const found = await store.get(id)
  if (!found) throw new ApiError(404, 'unknown_game', 'There is no such game.')
  return found
}
