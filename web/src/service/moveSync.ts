/**
 * Sends moves that were confirmed without the network, when it is back and no page is open: Background Sync, where
 * browsers have it. The page stores such moves in a cache (see `api/backgroundMoves.ts`), where this worker finds them,
 * with the idempotency keys that the page sends them with: so a move is played once, whoever sends it.
 *
 * Nothing is decided here. A move is sent only if the game still has the moves before it; any other answer stays for
 * the page, which asks the player.
 */

/** As in `api/backgroundMoves.ts`. */
export const SYNC_TAG = 'punct-moves'
const CACHE = 'moves-to-send'

interface StoredMove {
  readonly game: string
  readonly text: string
  readonly ply: number
  readonly before: readonly string[]
  readonly key: string
}
interface GameState {
  readonly ply: number
  readonly turns: readonly { readonly text: string }[]
}

/** Send every stored move; rejects if one should be tried again later. */
export async function sendStoredMoves(): Promise<void> {
  const cache = await caches.open(CACHE)
  let failure: unknown
  for (const request of await cache.keys()) {
    try {
      const stored = await cache.match(request)
      if (!stored) continue // withdrawn meanwhile
      const move = (await stored.json()) as StoredMove
      if (await isSettled(move)) await removeIfSame(cache, request, move)
    } catch (error) {
      failure = error
    }
  }
  if (failure) throw failure
}

/** Send a move if its game is as it was; returns whether nothing is left to send. Throws if the server is away. */
async function isSettled(move: StoredMove): Promise<boolean> {
  const url = `/api/v1/games/${encodeURIComponent(move.game)}`
  const response = await fetch(url, { cache: 'no-store' })
  if (!response.ok) return stopOrThrow(response)
  const game = (await response.json()) as GameState
  const isSamePosition = game.ply === move.ply && move.before.every((text, ply) => game.turns[ply]?.text === text)
  if (!isSamePosition) return true // it was played already, or the page asks the player
  return stopOrThrow(
    await fetch(`${url}/turns`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': move.key },
      body: JSON.stringify({ text: move.text, ply: move.ply }),
    }),
  )
}

/** A refusal is final for this worker; a server that cannot answer now is tried again. */
function stopOrThrow(response: Response): true {
  if (response.status >= 500 || response.status === 429) throw new Error(`the server answered ${response.status}`)
  return true
}

/** Remove a stored move, unless the player has stored another one for the game meanwhile. */
async function removeIfSame(cache: Cache, request: Request, { key }: StoredMove): Promise<void> {
  const stored = await cache.match(request)
  if (stored && ((await stored.json()) as StoredMove).key === key) await cache.delete(request)
}
