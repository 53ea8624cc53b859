/**
 * The state of a game in this browser: what is stored, replayed by the kernel. Presented and changed as the server
 * does; a test compares both.
 */
import { ApiError } from '../api/client'
import type { Colour, Game, GameSummary, PositionView } from '../api/model'
import type { ReplayedGame } from '../kernel/kernel'
import type { Outcome, SavedGame, SavedMove } from './savedGame'

export interface GameState {
  readonly saved: SavedGame
  readonly replayed: ReplayedGame
}

/** Replays moves from a start position. */
export type Replay = (start: string, turns: readonly string[]) => Promise<ReplayedGame>

const COLOURS: readonly Colour[] = ['w', 'b']
/** Ends that no move brought about. */
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

// ------------------------------------------------------------------ presentation

/** The position as the game shows it: one with a declared end has no legal moves. */
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

/** The ply that undo leads to: the current one where a declared end is undone; null if nothing can be. */
function undoPly({ saved, replayed }: GameState): number | null {
  const players = persons(saved)
  if (!players.length) return null
  if (isDeclared(saved.outcome)) return replayed.turns.length
  return replayed.turns.findLast(({ colour }) => players.includes(colour))?.ply ?? null
}

/** The moves that redo would play: one, and those of engines that followed it, up to a person's turn. */
function redoableMoves({ saved, replayed }: GameState): readonly SavedMove[] {
  const players = persons(saved)
  if (saved.outcome || !players.length) return []
  let turn = replayed.view.turn
  for (let count = 1; count < saved.undone.length; count++) {
    turn = other(turn)
    if (players.includes(turn)) return saved.undone.slice(0, count)
  }
  return saved.undone
}

/** The level of the engine that is to move, if one is. */
export function engineToMove({ saved, replayed }: GameState): number | null {
  const seat = saved.seats[replayed.view.turn]
  return !saved.outcome && seat.type === 'engine' ? (seat.level ?? 1) : null
}

/** The rules of a start position. */
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
    pauses: [],
  }
}

/** The game as the server would send it. */
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
    may_redo: redoableMoves(state).length > 0,
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

// ------------------------------------------------------------------ changes

const conflict = (code: string, message: string): ApiError => new ApiError(409, code, message)

function checkOpen({ saved }: GameState): void {
  if (saved.outcome) throw conflict('game_over', 'The game is over.')
}

/** Refuse what was meant for another position. */
function checkPly({ replayed }: GameState, ply: number): void {
  if (ply !== replayed.turns.length) throw conflict('wrong_ply', 'The game has gone on meanwhile.')
}

/** The next revision, with other moves. */
async function withMoves(
  { saved }: GameState,
  turns: readonly SavedMove[],
  undone: readonly SavedMove[],
  replay: Replay,
  now: string,
): Promise<GameState> {
  const replayed = await replay(saved.start, textsOf(turns))
  // As the kernel writes them.
  const canonicalMoves = turns.map(({ at }, ply) => ({ text: replayed.turns[ply]?.text ?? '', at }))
  const { turn, outcome } = replayed.view
  const revision = saved.revision + 1
  return { saved: { ...saved, turns: canonicalMoves, undone, turn, outcome, revision, updated: now }, replayed }
}

/** The next revision with the same moves, and a declared end or none. */
function withOutcome({ saved, replayed }: GameState, outcome: Outcome | null, now: string): GameState {
  return { saved: { ...saved, outcome, revision: saved.revision + 1, updated: now }, replayed }
}

/** Play a move; one that was already played at this ply is not played again. The kernel refuses illegal moves. */
export async function playMove(
  state: GameState,
  text: string,
  ply: number,
  player: 'person' | 'engine',
  replay: Replay,
  now: string,
): Promise<GameState> {
  const { saved, replayed } = state
  if (replayed.turns[ply]?.text === text) return state
  checkPly(state, ply)
  checkOpen(state)
  if (saved.seats[replayed.view.turn].type !== player) throw conflict('not_your_turn', 'The computer is to move.')
  const next = await withMoves(state, [...saved.turns, { text, at: now }], [], replay, now)
  const [first, ...rest] = saved.undone
  // Undone moves stay redoable as long as the game takes the same course again.
  const undone = first?.text === next.saved.turns.at(-1)?.text ? rest : []
  return { ...next, saved: { ...next.saved, undone } }
}

/** Undo a declared end, one move at a shared screen, or all moves back to the person's last. */
export async function undoMoves(state: GameState, ply: number, replay: Replay, now: string): Promise<GameState> {
  checkPly(state, ply)
  const targetPly = undoPly(state)
  if (targetPly === null) throw conflict('not_possible', 'There is no turn of a person to take back.')
  const { saved } = state
  if (targetPly === saved.turns.length) return withOutcome(state, null, now)
  return withMoves(
    state,
    saved.turns.slice(0, targetPly),
    [...saved.turns.slice(targetPly), ...saved.undone],
    replay,
    now,
  )
}

/** Redo moves, the computer's replies included. */
export async function redoMoves(state: GameState, ply: number, replay: Replay, now: string): Promise<GameState> {
  checkPly(state, ply)
  checkOpen(state)
  const moves = redoableMoves(state)
  if (!moves.length) throw conflict('not_possible', 'Nothing that was taken back could be played again.')
  const { saved } = state
  return withMoves(state, [...saved.turns, ...moves], saved.undone.slice(moves.length), replay, now)
}

export function resignGame(state: GameState, colour: Colour, now: string): GameState {
  checkOpen(state)
  if (!persons(state.saved).includes(colour)) throw conflict('not_possible', 'Only a person can resign.')
  return withOutcome(state, { winner: other(colour), reason: 'resignation' }, now)
}

export function drawGame(state: GameState, now: string): GameState {
  checkOpen(state)
  if (persons(state.saved).length < 2) throw conflict('not_possible', 'The computer does not agree on draws.')
  return withOutcome(state, { winner: null, reason: 'agreement' }, now)
}
