/**
 * Uploads the games of this browser to the server, once each. A game is sent with its own id as idempotency key, so
 * that however often it is sent, by whichever tab, and whatever responses get lost, the server creates one game. The
 * attempt is stored first. If the game has gone on here meanwhile, the server's game is deleted, and the game is sent
 * as it is now. A review follows its game.
 */
import { ApiError } from '../api/client'
import type { Game, NewGame } from '../api/model'
import { type GameStore, RevisionConflict } from './gameStore'
import { recordOf } from './record'
import { isUploaded, type SavedGame, type UploadAttempt } from './savedGame'
import type { SavedReview } from './savedReview'

/** The part of the server's API that uploads use. */
export interface UploadServer {
  create(options: Partial<NewGame>, key: string): Promise<Pick<Game, 'id' | 'revision'>>
  remove(id: string): Promise<unknown>
  saveReview(game: string, nodes: number, review: Pick<SavedReview, 'start' | 'turns'>): Promise<unknown>
}

function uploadAttempt(game: SavedGame, times: number): UploadAttempt {
  const { id, revision, seats } = game
  return {
    key: times ? `${id}-${times}` : id,
    times,
    revision,
    body: { record: recordOf(game), seats: { w: seats.w, b: seats.b } },
  }
}

/** The result of a request; null where the game was uploaded before and deleted on the server since. */
async function nullIfDeleted<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_game') return null
    throw error
  }
}

/** Upload one game; throws the server's or the browser's error. */
async function uploadGame(store: GameStore, id: string, server: UploadServer): Promise<void> {
  for (;;) {
    const game = await store.get(id)
    if (!game || isUploaded(game)) return
    const attempt = game.sent ?? uploadAttempt(game, 0)
    try {
      if (!game.sent) await store.markUpload(id, attempt)
      const serverGame = await nullIfDeleted(server.create(attempt.body, attempt.key))
      if (game.revision === attempt.revision) {
        if (serverGame)
          await store.markUploaded(id, attempt.revision, { id: serverGame.id, revision: serverGame.revision })
        else await store.remove(id)
        return
      }
      if (serverGame) await nullIfDeleted(server.remove(serverGame.id))
      await store.markUpload(id, uploadAttempt(game, attempt.times + 1))
    } catch (error) {
      // The game has just gone on; the next round sends it again.
      if (!(error instanceof RevisionConflict)) throw error
    }
  }
}

/** Whether further uploads are useless now: the server cannot be reached, or is overloaded. */
function isUnavailable({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500
}

/** Upload a review, if its game is uploaded. A review that the server refuses is removed. */
async function uploadReview(store: GameStore, review: SavedReview, server: UploadServer): Promise<void> {
  const game = await store.get(review.id)
  if (game && !isUploaded(game)) return
  try {
    if (game) await server.saveReview(game.handed.id, review.nodes, review)
  } catch (error) {
    if (!(error instanceof ApiError) || isUnavailable(error)) throw error
  }
  await store.removeReview(review.id)
}

/** Upload everything, the oldest game first; returns the last error, if any. */
export async function uploadAll(store: GameStore, server: UploadServer): Promise<ApiError | null> {
  let lastError: ApiError | null = null
  const { games } = await store.all()
  const uploads = [
    ...games.reverse().map(
      ({ id }) =>
        () =>
          uploadGame(store, id, server),
    ),
    ...(await store.reviews()).map((review) => () => uploadReview(store, review, server)),
  ]
  for (const upload of uploads) {
    try {
      await upload()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      lastError = error
      if (isUnavailable(error)) break
    }
  }
  return lastError
}
