/** The games in this browser: creates, opens, lists and uploads them. Loaded where there are any, or no server. */
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
 * Create a game; returns its path. `key` is the idempotency key of a request for the same game that got no response: if
 * the server has created it, the upload finds that one.
 */
export async function create(options: Partial<NewGame>, key: string | null = null): Promise<string> {
  const { rules, position, seats } = options
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
    sent: key ? { key, times: 0, revision: 1, body: options } : null,
  }
  await store.add(game)
  void persist()
  return `/local/${game.id}`
}

/** Open a game; or the id of an uploaded one. */
export async function open(id: string): Promise<GameSource | UploadedGame> {
  const stored = await getStored(id)
  if (isUploaded(stored)) return stored
  const [plays, hints] = await Promise.all([openKernel(), openKernel()])
  return LocalGame.open(store, { moves: plays, hints }, create, stored)
}

/** A game's record. */
export async function record(id: string): Promise<string> {
  const stored = await getStored(id)
  if (isUploaded(stored)) throw new ApiError(404, 'unknown_game', 'The server keeps this game now.')
  return recordOf(stored)
}

/** A game in a list, with its position. */
export interface ListedLocalGame extends ListedGame {
  /** Its last position; rejects if it cannot be replayed. */
  position(): Promise<PositionView>
}

/** All games stored here, the last played first. */
export interface LocalGameList {
  readonly games: readonly ListedLocalGame[]
  /** The ids of those that cannot be read any more. */
  readonly damaged: readonly string[]
  /** The results of games against the computer. */
  readonly results: readonly LevelResult[]
}

export async function list(): Promise<LocalGameList> {
  const { games, damaged } = await store.all()
  return { games: games.map(toListed), damaged, results: resultsOf(games) }
}

function toListed(saved: SavedGame): ListedLocalGame {
  const { seats, turn, outcome } = saved
  return {
    ...summaryOf(saved),
    your_turn: !outcome && seats[turn as Colour].type === 'person',
    deadline: null,
    position: async () => (await openKernel()).view(saved.start, textsOf(saved.turns)),
  }
}

/** Whether there is anything to upload. */
export async function hasUploads(): Promise<boolean> {
  return (await store.all()).games.length > 0 || (await store.reviews()).length > 0
}

/** Upload everything; returns the server's last error, if any. */
export function uploadEverything(): Promise<ApiError | null> {
  return uploadAll(store, { create: api.create, remove: api.remove, saveReview: analysis.saveReview })
}

async function getStored(id: string): Promise<SavedGame | UploadedGame> {
  const stored = await store.get(id)
  if (!stored) throw new ApiError(404, 'unknown_game', 'There is no such game.')
  return stored
}
