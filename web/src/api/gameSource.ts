/** Where a game is kept and judged: with the server, or in this browser. Whoever shows one need not know. */
import { analysis } from './analysis'
import { api, ApiError, isTemporary } from './client'
import { cachedGame, cacheGame, uncacheGame } from './gameCache'
import { type Listener, LiveConnection } from './live'
import type {
  Colour,
  Explanation,
  Game,
  Greeting,
  Hint,
  LiveMessage,
  NewGame,
  OfferKind,
  PositionView,
  Remark,
  Review,
  You,
} from './model'
import { forgetRefused, type PendingMove, pendingMove, resumeMove, sendMove, withdrawMove } from './outbox'

/** The server has no such game, or no longer. */
const UNKNOWN_GAME = 'unknown_game'

/** What is heard of a game. */
export interface GameListener extends Listener<LiveMessage> {
  /** The server keeps the game from now on, under another id; beginning with this revision. */
  moved(to: Pick<Game, 'id' | 'revision'>): void
}

/** What passes between two people, each at a screen of their own. */
export interface PlayerActions {
  offer(kind: OfferKind): Promise<Game>
  accept(kind: OfferKind): Promise<Game>
  /** Decline what the other side offers, or withdraw what one has offered. */
  refuse(): Promise<Game>
  abort(): Promise<undefined>
  greet(greeting: Greeting): Promise<undefined>
}

/** The game's addresses; null for what is not to be had. */
export interface Links {
  /** Its own, within the page. */
  readonly page: string
  /** Whether that leads there for others too. */
  readonly shared: boolean
  /** Where it is analysed, and reviewed when it is over. */
  readonly analysis: string
  readonly review: string
  record(format: 'text' | 'sgf'): string | null
  picture(form: 'svg' | 'png', ply: number, theme: 'light' | 'dark'): string | null
  animation(ply: number, theme: 'light' | 'dark'): string | null
}

/** A move on its way to the server. */
export interface Outbox {
  /** The move that is kept, if there is one. */
  kept(): PendingMove | null
  /** Go on sending it; null if there is none. */
  resume(waits: () => void): Promise<Game> | null
  /** Send it no more. */
  withdraw(): void
  /** What was refused has been said. */
  forget(): void
}

/** Where the review of a game is kept. */
export interface Reviews {
  /** What is kept for the game as it stands. */
  kept(): Promise<Pick<Review, 'nodes' | 'start' | 'turns'> | null>
  keep: (nodes: number, review: { start: number; turns: readonly Remark[] }) => Promise<unknown>
}

export interface GameSource {
  /** The game as it was found. */
  readonly game: Game
  /** Whose seats these are, where people meet. */
  readonly you: You | null
  readonly links: Links
  /** When it was known to stand so, in milliseconds since 1970; null if it does so now. */
  readonly since: number | null
  /** Null where none is kept. */
  readonly reviews: Reviews | null
  /** Null where nobody else can be. */
  readonly people: PlayerActions | null
  position(ply: number): Promise<PositionView>
  explain(text: string, ply: number): Promise<Explanation>
  /** Why a piece may not go to a space, with any heading. */
  explainTap(text: string, ply: number): Promise<Explanation>
  /** Play a move after others; `waits` is called whenever it has to wait for the connection. */
  play(text: string, ply: number, before: readonly string[], waits: () => void): Promise<Game>
  /** What keeps a move until the server has it; null where this browser plays. */
  readonly outbox: Outbox | null
  undo(ply: number): Promise<Game>
  redo(ply: number): Promise<Game>
  resign(colour: Colour): Promise<Game>
  draw(): Promise<Game>
  hint(signal: AbortSignal): Promise<Hint>
  /** Begin another game in the same place; returns its address. */
  begin(wanted: Partial<NewGame>): Promise<string>
  /** Hear what happens in the game, from the revision that is known then; returns how to stop that. */
  listen(known: () => number, listener: GameListener): () => void
}

/** A game that the server keeps. */
export class ServerGame implements GameSource {
  readonly links: Links
  readonly people: PlayerActions
  readonly reviews: Reviews
  readonly outbox: Outbox

  constructor(
    readonly game: Game,
    readonly you: You | null = null,
    readonly since: number | null = null,
  ) {
    const { id } = game
    this.links = {
      page: `/game/${id}`,
      shared: true,
      analysis: `/analysis?game=${id}`,
      review: `/game/${id}/review`,
      record: (format) => api.recordUrl(id, format),
      picture: (form, ply, theme) => api.pictureUrl(id, form, ply, theme),
      animation: (ply, theme) => api.animationUrl(id, ply, theme),
    }
    this.reviews = {
      kept: () => analysis.review(id),
      keep: (nodes, review) => analysis.keepReview(id, nodes, review),
    }
    this.outbox = {
      kept: () => pendingMove(id),
      resume: (waits) => resumeMove(id, waits),
      withdraw: () => withdrawMove(id),
      forget: () => forgetRefused(id),
    }
    this.people = {
      offer: (kind) => api.offer(id, kind),
      accept: (kind) => api.accept(id, kind),
      refuse: () => api.refuse(id),
      abort: () => api.abort(id),
      greet: (greeting) => api.greet(id, greeting),
    }
  }

  /** Find a game of the server's; `meeting` where people meet. As last known, if the server does not answer. */
  static async open(id: string, meeting: boolean): Promise<ServerGame> {
    try {
      const [game, you] = await Promise.all([api.game(id), meeting ? api.you(id) : null])
      cacheGame(game, you)
      return new ServerGame(game, you)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === UNKNOWN_GAME) uncacheGame(id)
      const known = isTemporary(error) ? cachedGame(id) : null
      if (!known) throw error
      return new ServerGame(known.game, known.you, known.at)
    }
  }

  position = (ply: number): Promise<PositionView> => api.position(this.game.id, ply)
  explain = (text: string, ply: number): Promise<Explanation> => api.explain(this.game.id, text, ply)
  explainTap = (text: string, ply: number): Promise<Explanation> => api.explainTap(this.game.id, text, ply)
  play = (text: string, _ply: number, before: readonly string[], waits: () => void): Promise<Game> =>
    sendMove(this.game.id, text, before, waits)
  undo = (ply: number): Promise<Game> => api.undo(this.game.id, ply)
  redo = (ply: number): Promise<Game> => api.redo(this.game.id, ply)
  resign = (colour: Colour): Promise<Game> => api.resign(this.game.id, colour)
  draw = (): Promise<Game> => api.draw(this.game.id)
  hint = (signal: AbortSignal): Promise<Hint> => api.hint(this.game.id, signal)
  begin = async (wanted: Partial<NewGame>): Promise<string> => `/game/${(await api.create(wanted)).id}`

  listen(known: () => number, listener: GameListener): () => void {
    const live = new LiveConnection<LiveMessage>(
      () => `/games/${encodeURIComponent(this.game.id)}/live?seen=${known()}`,
      {
        ...listener,
        gone: () => listener.message({ type: 'gone', reason: 'deleted' }),
      },
    )
    return () => live.close()
  }
}
