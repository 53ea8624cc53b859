/** Where a game is stored and judged: on the server, or in this browser. The game page need not know which. */
import type { Listener } from './live'
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

/** A subscriber to a game's updates. */
export interface GameListener extends Listener<LiveMessage> {
  /** The game was uploaded: the server has it under another id, beginning with this revision. */
  uploaded(to: Pick<Game, 'id' | 'revision'>): void
}

/** What two people at two screens can send each other. */
export interface PlayerActions {
  offer(kind: OfferKind): Promise<Game>
  accept(kind: OfferKind): Promise<Game>
  /** Decline the opponent's offer, or withdraw one's own. */
  refuse(): Promise<Game>
  /** End a pause that both agreed to. */
  resume(): Promise<Game>
  abort(): Promise<undefined>
  greet(greeting: Greeting): Promise<undefined>
}

/** The game's addresses; null for those that do not exist. */
export interface Links {
  /** The game's path within the page. */
  readonly page: string
  /** Whether that path works for other people too. */
  readonly shared: boolean
  /** The paths of its analysis, and of its review when it is over. */
  readonly analysis: string
  readonly review: string
  record(format: 'text' | 'sgf'): string | null
  picture(form: 'svg' | 'png', ply: number, theme: 'light' | 'dark'): string | null
  animation(ply: number, theme: 'light' | 'dark'): string | null
}

/** A move, and the moves it was made after. */
export interface PendingMove {
  readonly text: string
  readonly ply: number
  /** The moves before it. */
  readonly before: readonly string[]
  readonly key: string
  readonly at: number
  /** The server's error code, if no page was open to show it. */
  readonly refused: string | null
}

/** The move of a game that is not yet confirmed by the server. */
export interface GameOutbox {
  /** The stored move, if there is one. */
  pending(): PendingMove | null
  /** Go on sending it; null if there is none. `onWait` is called whenever it has to wait for the connection. */
  resume(onWait: () => void): Promise<Game> | null
  /** Stop sending it. */
  withdraw(): void
  /** Remove a refused move whose refusal has been shown. */
  forgetRefused(): void
}

/** The stored review of a game. */
export interface Reviews {
  /** Load the review of the game in its present state. */
  load(): Promise<Pick<Review, 'nodes' | 'start' | 'turns'> | null>
  save: (nodes: number, review: { start: number; turns: readonly Remark[] }) => Promise<unknown>
}

export interface GameSource {
  /** The game as it was loaded. */
  readonly game: Game
  /** The player's own seats, online. */
  readonly you: You | null
  readonly links: Links
  /** When the snapshot was stored, in milliseconds since 1970; null if the game comes from its source itself. */
  readonly cachedAt: number | null
  /** Null where no review is stored. */
  readonly reviews: Reviews | null
  /** Null where there is no other person. */
  readonly people: PlayerActions | null
  position(ply: number): Promise<PositionView>
  explain(text: string, ply: number): Promise<Explanation>
  /** Why a piece may not go to a space, with any heading. */
  explainTap(text: string, ply: number): Promise<Explanation>
  /** Play a move after the moves `before`; `onWait` is called whenever it has to wait for the connection. */
  play(text: string, ply: number, before: readonly string[], onWait: () => void): Promise<Game>
  /** Stores a move until the server has it; null where this browser plays. */
  readonly outbox: GameOutbox | null
  undo(ply: number): Promise<Game>
  redo(ply: number): Promise<Game>
  resign(colour: Colour): Promise<Game>
  draw(): Promise<Game>
  hint(signal: AbortSignal): Promise<Hint>
  /** Create another game in the same place; returns its path. */
  begin(options: Partial<NewGame>): Promise<string>
  /** Subscribe to the game's updates, from the revision that the page has then; returns the unsubscribe function. */
  listen(revision: () => number, listener: GameListener): () => void
}
