/**
 * A game in this browser as it stands: what is kept of it, with what the kernel says of that. Told as the server tells
 * one, and changed as the server changes one; a test holds both to each other.
 */
import { ApiError } from '../api/client'
import type { Colour, Game, GameSummary, PositionView } from '../api/model'
import type { ReplayedGame } from '../kernel/kernel'
import type { Outcome, SavedGame, SavedMove } from './savedGame'

export interface GameState {
  readonly saved: SavedGame
  readonly replayed: ReplayedGame
}

/** Has the kernel say what turns make of a start. */
export type Replay = (start: string, turns: readonly string[]) => Promise<ReplayedGame>

const COLOURS: readonly Colour[] = ['w', 'b']
/** Ends that no turn brought about. */
const DECLARED: readonly string[] = ['resignation', 'agreement', 'time']
const NO_THREAT = { count: 0, turns: [], chain: [] }

export const textsOf = (turns: readonly SavedMove[]): string[] => turns.map(({ text }) => text)

const other = (colour: Colour): Colour => (colour === 'w' ? 'b' : 'w')
const persons = ({ seats }: SavedGame): Colour[] => COLOURS.filter((colour) => seats[colour].type === 'person')
const isDeclared = (outcome: Outcome | null): boolean => outcome !== null && DECLARED.includes(outcome.reason)

export function resultOf(outcome: Outcome | null): Game['result'] {
  if (!outcome) return '*'
  return outcome.winner === 'w' ? '1-0' : outcome.winner === 'b' ? '0-1' : '1/2-1/2'
}

// ------------------------------------------------------------------ how it stands

/** The position as the game shows it: one that was ended by a word has no turns left. */
function viewOf({ saved: { outcome }, replayed: { view } }: GameState): PositionView {
  if (!outcome || view.outcome) return view
  return {
    ...view,
    outcome,
    result: resultOf(outcome),
    legal: { count: 0, adds: {}, moves: {} },
    threats: { w: NO_THREAT, b: NO_THREAT },
  }
}

/** To which ply taking back leads: the current one where a declared end is taken back; null if nothing can be. */
function undoPly({ saved, replayed }: GameState): number | null {
  const players = persons(saved)
  if (!players.length) return null
  if (isDeclared(saved.outcome)) return replayed.turns.length
  return replayed.turns.findLast(({ colour }) => players.includes(colour))?.ply ?? null
}

/** What would be played again: one turn, and those of engines that followed it, up to a person's turn. */
function redone({ saved, replayed }: GameState): readonly SavedMove[] {
  const players = persons(saved)
  if (saved.outcome || !players.length) return []
  let turn = replayed.view.turn
  for (let count = 1; count < saved.undone.length; count++) {
    turn = other(turn)
    if (players.includes(turn)) return saved.undone.slice(0, count)
  }
  return saved.undone
}

/** The engine that is to move, if one is. */
export function engineToMove({ saved, replayed }: GameState): number | null {
  const seat = saved.seats[replayed.view.turn]
  return !saved.outcome && seat.type === 'engine' ? (seat.level ?? 1) : null
}

/** By which rules is played from a position. */
export function rulesOf(start: string): Game['rules'] {
  return start.startsWith('basic') ? 'basic' : 'standard'
}

/** The game in a list. */
export function summaryOf(saved: SavedGame): GameSummary {
  const { id, start, seats, turns, turn, outcome, created, updated } = saved
  const seat = (colour: Colour) => ({ ...seats[colour], player: null })
  return {
    id,
    rules: rulesOf(start),
    seats: { w: seat('w'), b: seat('b') },
    ply: turns.length,
    turn,
    result: resultOf(outcome),
    outcome,
    created,
    updated,
    time: null,
    rated: false,
    uncounted: null,
    listed: false,
  }
}

/** The game as the server would tell it. */
export function gameOf(state: GameState): Game {
  const { saved, replayed } = state
  const level = engineToMove(state)
  const players = persons(saved).length
  return {
    ...summaryOf(saved),
    revision: saved.revision,
    start: saved.start,
    turns: replayed.turns.map((turn, ply) => ({ ...turn, at: saved.turns[ply]?.at ?? null, comment: null })),
    view: viewOf(state),
    repetitions: replayed.repetitions,
    may_undo: undoPly(state) !== null,
    may_redo: redone(state).length > 0,
    may_resign: !saved.outcome && players > 0,
    may_draw: !saved.outcome && players === 2,
    clock: null,
    offer: null,
    next: null,
    thinking:
      level === null
        ? { state: 'idle', colour: null, level: null, since: null, message: null, code: null }
        : { state: 'thinking', colour: replayed.view.turn, level, since: saved.updated, message: null, code: null },
  }
}

// ------------------------------------------------------------------ what becomes of it

const refused = (code: string, message: string): ApiError => new ApiError(409, code, message)

function checkOpen({ saved }: GameState): void {
  if (saved.outcome) throw refused('game_over', 'The game is over.')
}

/** Refuse what was meant for another position. */
function checkPly({ replayed }: GameState, ply: number): void {
  if (ply !== replayed.turns.length) throw refused('wrong_ply', 'The game has gone on meanwhile.')
}

/** The next revision, with other turns. */
async function after(
  { saved }: GameState,
  turns: readonly SavedMove[],
  undone: readonly SavedMove[],
  replay: Replay,
  now: string,
): Promise<GameState> {
  const replayed = await replay(saved.start, textsOf(turns))
  // As the kernel writes them.
  const written = turns.map(({ at }, ply) => ({ text: replayed.turns[ply]?.text ?? '', at }))
  const { turn, outcome } = replayed.view
  const revision = saved.revision + 1
  return { saved: { ...saved, turns: written, undone, turn, outcome, revision, updated: now }, replayed }
}

/** The same turns, ended by a word, or no longer. */
function ended({ saved, replayed }: GameState, outcome: Outcome | null, now: string): GameState {
  return { saved: { ...saved, outcome, revision: saved.revision + 1, updated: now }, replayed }
}

/** A turn is played; what was already played at this ply is not played again. The kernel refuses what is not legal. */
export async function playMove(
  state: GameState,
  text: string,
  ply: number,
  by: 'person' | 'engine',
  replay: Replay,
  now: string,
): Promise<GameState> {
  const { saved, replayed } = state
  if (replayed.turns[ply]?.text === text) return state
  checkPly(state, ply)
  checkOpen(state)
  if (saved.seats[replayed.view.turn].type !== by) throw refused('not_your_turn', 'The computer is to move.')
  const next = await after(state, [...saved.turns, { text, at: now }], [], replay, now)
  const [first, ...rest] = saved.undone
  // What was taken back stays a continuation of the game as long as the game goes the same way again.
  const undone = first?.text === next.saved.turns.at(-1)?.text ? rest : []
  return { ...next, saved: { ...next.saved, undone } }
}

/** Taken back: a declared end, one turn at one screen, or the way back to the person's turn. */
export async function undoMoves(state: GameState, ply: number, replay: Replay, now: string): Promise<GameState> {
  checkPly(state, ply)
  const to = undoPly(state)
  if (to === null) throw refused('not_possible', 'There is no turn of a person to take back.')
  const { saved } = state
  if (to === saved.turns.length) return ended(state, null, now)
  return after(state, saved.turns.slice(0, to), [...saved.turns.slice(to), ...saved.undone], replay, now)
}

/** Played again, the computer's answers included. */
export async function redoMoves(state: GameState, ply: number, replay: Replay, now: string): Promise<GameState> {
  checkPly(state, ply)
  checkOpen(state)
  const again = redone(state)
  if (!again.length) throw refused('not_possible', 'Nothing that was taken back could be played again.')
  const { saved } = state
  return after(state, [...saved.turns, ...again], saved.undone.slice(again.length), replay, now)
}

export function resignGame(state: GameState, colour: Colour, now: string): GameState {
  checkOpen(state)
  if (!persons(state.saved).includes(colour)) throw refused('not_possible', 'Only a person can resign.')
  return ended(state, { winner: other(colour), reason: 'resignation' }, now)
}

export function drawGame(state: GameState, now: string): GameState {
  checkOpen(state)
  if (persons(state.saved).length < 2) throw refused('not_possible', 'The computer does not agree on draws.')
  return ended(state, { winner: null, reason: 'agreement' }, now)
}
