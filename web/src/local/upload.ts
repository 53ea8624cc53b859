/**
 * Games of this browser are given to the server, once each. A game is sent under its own id as the key, so that however
 * often it is sent, by whichever tab, and whatever answers get lost, the server makes one game of it. How it is sent is
 * noted first. Should it have gone on here while it was under way, what the server made is taken back, and the game is
 * sent as it is now. A review follows its game.
 */
import { ApiError } from '../api/client'
import type { Game, NewGame } from '../api/model'
import { type GameStore, RevisionConflict } from './gameStore'
import { recordOf } from './record'
import { isUploaded, type SavedGame, type UploadAttempt } from './savedGame'
import type { SavedReview } from './savedReview'

/** What is asked of the server. */
export interface UploadServer {
  create(wanted: Partial<NewGame>, key: string): Promise<Pick<Game, 'id' | 'revision'>>
  remove(id: string): Promise<unknown>
  keepReview(game: string, nodes: number, review: Pick<SavedReview, 'start' | 'turns'>): Promise<unknown>
}

function sentAs(game: SavedGame, times: number): UploadAttempt {
  const { id, revision, seats } = game
  return {
    key: times ? `${id}-${times}` : id,
    times,
    revision,
    body: { record: recordOf(game), seats: { w: seats.w, b: seats.b } },
  }
}

/** What a wish makes; null where the server made it before and it was deleted there since. */
async function unlessDeleted<T>(wish: Promise<T>): Promise<T | null> {
  try {
    return await wish
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_game') return null
    throw error
  }
}

/** Give one game to the server; throws what the server, or the browser, refuses. */
async function uploadGame(store: GameStore, id: string, server: UploadServer): Promise<void> {
  for (;;) {
    const game = await store.get(id)
    if (!game || isUploaded(game)) return
    const sent = game.sent ?? sentAs(game, 0)
    try {
      if (!game.sent) await store.mark(id, sent)
      const made = await unlessDeleted(server.create(sent.body, sent.key))
      if (game.revision === sent.revision) {
        if (made) await store.hand(id, sent.revision, { id: made.id, revision: made.revision })
        else await store.remove(id)
        return
      }
      if (made) await unlessDeleted(server.remove(made.id))
      await store.mark(id, sentAs(game, sent.times + 1))
    } catch (error) {
      // It went on just now; the next round sees how.
      if (!(error instanceof RevisionConflict)) throw error
    }
  }
}

/** Whether it is of no use to ask for more now: nobody answers, or has enough. */
function isForNow({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500
}

/** Give a review to the server, if that has its game. What it does not want is of no use to anybody. */
async function uploadReview(store: GameStore, review: SavedReview, server: UploadServer): Promise<void> {
  const game = await store.get(review.id)
  if (game && !isUploaded(game)) return
  try {
    if (game) await server.keepReview(game.handed.id, review.nodes, review)
  } catch (error) {
    if (!(error instanceof ApiError) || isForNow(error)) throw error
  }
  await store.dropReview(review.id)
}

/** Give everything to the server, the oldest game first; returns what was refused, if something was. */
export async function uploadAll(store: GameStore, server: UploadServer): Promise<ApiError | null> {
  let refused: ApiError | null = null
  const { games } = await store.all()
  const gifts = [
    ...games.reverse().map(
      ({ id }) =>
        () =>
          uploadGame(store, id, server),
    ),
    ...(await store.reviews()).map((review) => () => uploadReview(store, review, server)),
  ]
  for (const given of gifts) {
    try {
      await given()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused = error
      if (isForNow(error)) break
    }
  }
  return refused
}
