/**
 * A game as this browser stores it: the players and the moves. Everything else follows by replaying; only what a list
 * shows is stored beside it. Stored data is validated when read: it may be damaged, or of another version.
 */
import { ApiError } from '../api/client'
import type { Colour, Game, NewGame } from '../api/model'

export type Outcome = NonNullable<Game['outcome']>

export interface SavedSeat {
  readonly type: 'person' | 'engine'
  readonly name: string | null
  readonly level: number | null
}

export interface SavedMove {
  readonly text: string
  /** When it was played. */
  readonly at: string
}

/** An upload attempt; stored before it is sent, so that a retry is the same. */
export interface UploadAttempt {
  readonly key: string
  /** How often it had to be sent anew, because the game had gone on meanwhile. */
  readonly times: number
  /** The revision that was sent. */
  readonly revision: number
  readonly body: Partial<NewGame>
}

export interface SavedGame {
  readonly id: string
  /** The start position, as the kernel writes it. */
  readonly start: string
  readonly seats: Readonly<Record<Colour, SavedSeat>>
  readonly turns: readonly SavedMove[]
  /** The undone moves that redo would play, the next one first. */
  readonly undone: readonly SavedMove[]
  /** Whose turn it is, and how it ended: by the rules, or as declared. */
  readonly turn: Colour
  readonly outcome: Outcome | null
  /** Grows with every change. */
  readonly revision: number
  readonly created: string
  readonly updated: string
  readonly sent: UploadAttempt | null
}

/** What is left of an uploaded game. */
export interface UploadedGame {
  readonly id: string
  /** The server's id, and its first revision there. */
  readonly handed: Pick<Game, 'id' | 'revision'>
}

export type StoredGame = SavedGame | UploadedGame

export function isUploaded(stored: StoredGame): stored is UploadedGame {
  return 'handed' in stored
}

/** The error for a damaged game. */
export function brokenGameError(): ApiError {
  return new ApiError(500, 'broken_game', 'This game is stored wrongly.')
}

type Raw = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const isColour = (value: unknown): value is Colour => value === 'w' || value === 'b'
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)
const isDate = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value))

function isSeat(value: unknown): value is SavedSeat {
  if (!isObject(value) || !(value['name'] === null || isText(value['name']))) return false
  if (value['type'] === 'person') return true
  return value['type'] === 'engine' && isNumber(value['level'])
}

function areMoves(value: unknown): value is SavedMove[] {
  return Array.isArray(value) && value.every((move) => isObject(move) && isText(move['text']) && isDate(move['at']))
}

function isOutcome(value: unknown): value is Outcome {
  return isObject(value) && isText(value['reason']) && (value['winner'] === null || isColour(value['winner']))
}

function isUploadAttempt(value: unknown): value is UploadAttempt {
  if (!isObject(value) || !isObject(value['body'])) return false
  return isText(value['key']) && isNumber(value['times']) && isNumber(value['revision'])
}

/** Validate a stored game; throws where it is damaged. */
export function validateGame(id: string, stored: unknown): StoredGame {
  if (!isObject(stored) || stored['id'] !== id) throw brokenGameError()
  const { handed, seats, start, turns, undone, turn, outcome, revision, created, updated, sent } = stored
  if (isObject(handed)) {
    if (!isText(handed['id']) || !isNumber(handed['revision'])) throw brokenGameError()
    return stored as unknown as UploadedGame
  }
  const isValid =
    isText(start) &&
    isObject(seats) &&
    isSeat(seats['w']) &&
    isSeat(seats['b']) &&
    areMoves(turns) &&
    areMoves(undone) &&
    isColour(turn) &&
    (outcome === null || isOutcome(outcome)) &&
    isNumber(revision) &&
    isDate(created) &&
    isDate(updated) &&
    (sent === null || isUploadAttempt(sent))
  if (!isValid) throw brokenGameError()
  return stored as unknown as SavedGame
}
