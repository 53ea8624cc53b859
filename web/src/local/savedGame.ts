/**
 * A game as this browser keeps it: who plays and what was played. What follows from that the kernel says; only what a
 * list shows is noted beside it. Whatever is read is looked at first: it may be damaged, or of another version.
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

/** How a game was given to the server; noted before it is sent, so that it is sent the same way again. */
export interface UploadAttempt {
  readonly key: string
  /** How often it had to be given anew, because it had gone on while it was under way. */
  readonly times: number
  /** The revision that was sent. */
  readonly revision: number
  readonly body: Partial<NewGame>
}

export interface SavedGame {
  readonly id: string
  /** Where it begins, as the kernel writes it. */
  readonly start: string
  readonly seats: Readonly<Record<Colour, SavedSeat>>
  readonly turns: readonly SavedMove[]
  /** What was taken back and could be played again, the next one first. */
  readonly undone: readonly SavedMove[]
  /** Whose turn it is, and how it ended: by the kernel's word, or as somebody declared. */
  readonly turn: Colour
  readonly outcome: Outcome | null
  /** Grows with every change. */
  readonly revision: number
  readonly created: string
  readonly updated: string
  readonly sent: UploadAttempt | null
}

/** What is left of a game that the server keeps now. */
export interface UploadedGame {
  readonly id: string
  /** The server's id, and the revision it began with there. */
  readonly handed: Pick<Game, 'id' | 'revision'>
}

export type StoredGame = SavedGame | UploadedGame

export function isUploaded(found: StoredGame): found is UploadedGame {
  return 'handed' in found
}

/** Thrown for a stored game that is none. */
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

function areTurns(value: unknown): value is SavedMove[] {
  return Array.isArray(value) && value.every((turn) => isObject(turn) && isText(turn['text']) && isDate(turn['at']))
}

function isOutcome(value: unknown): value is Outcome {
  return isObject(value) && isText(value['reason']) && (value['winner'] === null || isColour(value['winner']))
}

function isSent(value: unknown): value is UploadAttempt {
  if (!isObject(value) || !isObject(value['body'])) return false
  return isText(value['key']) && isNumber(value['times']) && isNumber(value['revision'])
}

/** What was stored under an id; throws where that is no game. */
export function checkedGame(id: string, stored: unknown): StoredGame {
  if (!isObject(stored) || stored['id'] !== id) throw brokenGameError()
  const { handed, seats, start, turns, undone, turn, outcome, revision, created, updated, sent } = stored
  if (isObject(handed)) {
    if (!isText(handed['id']) || !isNumber(handed['revision'])) throw brokenGameError()
    return stored as unknown as UploadedGame
  }
  const sound =
    isText(start) &&
    isObject(seats) &&
    isSeat(seats['w']) &&
    isSeat(seats['b']) &&
    areTurns(turns) &&
    areTurns(undone) &&
    isColour(turn) &&
    (outcome === null || isOutcome(outcome)) &&
    isNumber(revision) &&
    isDate(created) &&
    isDate(updated) &&
    (sent === null || isSent(sent))
  if (!sound) throw brokenGameError()
  return stored as unknown as SavedGame
}
