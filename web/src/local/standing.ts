/**
 * A game in this browser as it stands: what is kept of it, with what the kernel says of that. Told as the server tells
 * one, and changed as the server changes one; a test holds both to each other.
 */
import type { ToldGame } from '../kernel/kernel'
import { ApiError } from '../net/client'
import type { Colour, Game, GameSummary, PositionView } from '../net/model'
import type { KeptGame, KeptTurn, Outcome } from './kept'

export interface Standing {
  readonly kept: KeptGame
  readonly told: ToldGame
}

/** Has the kernel say what turns make of a start. */
export type Tell = (start: string, turns: readonly string[]) => Promise<ToldGame>

const COLOURS: readonly Colour[] = ['w', 'b']
/** Ends that no turn brought about. */
const DECLARED: readonly string[] = ['resignation', 'agreement', 'time']
const NO_THREAT = { count: 0, turns: [], chain: [] }

export const textsOf = (turns: readonly KeptTurn[]): string[] => turns.map(({ text }) => text)

const other = (colour: Colour): Colour => (colour === 'w' ? 'b' : 'w')
const persons = ({ seats }: KeptGame): Colour[] => COLOURS.filter((colour) => seats[colour].type === 'person')
const isDeclared = (outcome: Outcome | null): boolean => outcome !== null && DECLARED.includes(outcome.reason)

export function resultOf(outcome: Outcome | null): Game['result'] {
  if (!outcome) return '*'
  return outcome.winner === 'w' ? '1-0' : outcome.winner === 'b' ? '0-1' : '1/2-1/2'
}

// ------------------------------------------------------------------ how it stands

/** The position as the game shows it: one that was ended by a word has no turns left. */
function viewOf({ kept: { outcome }, told: { view } }: Standing): PositionView {
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
function undoPly({ kept, told }: Standing): number | null {
  const players = persons(kept)
  if (!players.length) return null
  if (isDeclared(kept.outcome)) return told.turns.length
  return told.turns.findLast(({ colour }) => players.includes(colour))?.ply ?? null
}

/** What would be played again: one turn, and those of engines that followed it, up to a person's turn. */
function redone({ kept, told }: Standing): readonly KeptTurn[] {
  const players = persons(kept)
  if (kept.outcome || !players.length) return []
  let turn = told.view.turn
  for (let count = 1; count < kept.undone.length; count++) {
    turn = other(turn)
    if (players.includes(turn)) return kept.undone.slice(0, count)
  }
  return kept.undone
}

/** The engine that is to move, if one is. */
export function engineToMove({ kept, told }: Standing): number | null {
  const seat = kept.seats[told.view.turn]
  return !kept.outcome && seat.type === 'engine' ? (seat.level ?? 1) : null
}

/** By which rules is played from a position. */
export function rulesOf(start: string): Game['rules'] {
  return start.startsWith('basic') ? 'basic' : 'standard'
}

/** The game in a list. */
export function summaryOf(kept: KeptGame): GameSummary {
  const { id, start, seats, turns, turn, outcome, created, updated } = kept
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
export function gameOf(standing: Standing): Game {
  const { kept, told } = standing
  const level = engineToMove(standing)
  const players = persons(kept).length
  return {
    ...summaryOf(kept),
    revision: kept.revision,
    start: kept.start,
    turns: told.turns.map((turn, ply) => ({ ...turn, at: kept.turns[ply]?.at ?? null, comment: null })),
    view: viewOf(standing),
    repetitions: told.repetitions,
    may_undo: undoPly(standing) !== null,
    may_redo: redone(standing).length > 0,
    may_resign: !kept.outcome && players > 0,
    may_draw: !kept.outcome && players === 2,
    clock: null,
    offer: null,
    next: null,
    thinking:
      level === null
        ? { state: 'idle', colour: null, level: null, since: null, message: null, code: null }
        : { state: 'thinking', colour: told.view.turn, level, since: kept.updated, message: null, code: null },
  }
}

// ------------------------------------------------------------------ what becomes of it

const refused = (code: string, message: string): ApiError => new ApiError(409, code, message)

function checkOpen({ kept }: Standing): void {
  if (kept.outcome) throw refused('game_over', 'The game is over.')
}

/** Refuse what was meant for another position. */
function checkPly({ told }: Standing, ply: number): void {
  if (ply !== told.turns.length) throw refused('wrong_ply', 'The game has gone on meanwhile.')
}

/** The next revision, with other turns. */
async function after(
  { kept }: Standing,
  turns: readonly KeptTurn[],
  undone: readonly KeptTurn[],
  tell: Tell,
  now: string,
): Promise<Standing> {
  const told = await tell(kept.start, textsOf(turns))
  // As the kernel writes them.
  const written = turns.map(({ at }, ply) => ({ text: told.turns[ply]?.text ?? '', at }))
  const { turn, outcome } = told.view
  const revision = kept.revision + 1
  return { kept: { ...kept, turns: written, undone, turn, outcome, revision, updated: now }, told }
}

/** The same turns, ended by a word, or no longer. */
function ended({ kept, told }: Standing, outcome: Outcome | null, now: string): Standing {
  return { kept: { ...kept, outcome, revision: kept.revision + 1, updated: now }, told }
}

/** A turn is played; what was already played at this ply is not played again. The kernel refuses what is not legal. */
export async function pushed(
  standing: Standing,
  text: string,
  ply: number,
  by: 'person' | 'engine',
  tell: Tell,
  now: string,
): Promise<Standing> {
  const { kept, told } = standing
  if (told.turns[ply]?.text === text) return standing
  checkPly(standing, ply)
  checkOpen(standing)
  if (kept.seats[told.view.turn].type !== by) throw refused('not_your_turn', 'The computer is to move.')
  const next = await after(standing, [...kept.turns, { text, at: now }], [], tell, now)
  const [first, ...rest] = kept.undone
  // What was taken back stays a continuation of the game as long as the game goes the same way again.
  const undone = first?.text === next.kept.turns.at(-1)?.text ? rest : []
  return { ...next, kept: { ...next.kept, undone } }
}

/** Taken back: a declared end, one turn at one screen, or the way back to the person's turn. */
export async function takenBack(standing: Standing, ply: number, tell: Tell, now: string): Promise<Standing> {
  checkPly(standing, ply)
  const to = undoPly(standing)
  if (to === null) throw refused('not_possible', 'There is no turn of a person to take back.')
  const { kept } = standing
  if (to === kept.turns.length) return ended(standing, null, now)
  return after(standing, kept.turns.slice(0, to), [...kept.turns.slice(to), ...kept.undone], tell, now)
}

/** Played again, the computer's answers included. */
export async function playedAgain(standing: Standing, ply: number, tell: Tell, now: string): Promise<Standing> {
  checkPly(standing, ply)
  checkOpen(standing)
  const again = redone(standing)
  if (!again.length) throw refused('not_possible', 'Nothing that was taken back could be played again.')
  const { kept } = standing
  return after(standing, [...kept.turns, ...again], kept.undone.slice(again.length), tell, now)
}

export function resigned(standing: Standing, colour: Colour, now: string): Standing {
  checkOpen(standing)
  if (!persons(standing.kept).includes(colour)) throw refused('not_possible', 'Only a person can resign.')
  return ended(standing, { winner: other(colour), reason: 'resignation' }, now)
}

export function drawn(standing: Standing, now: string): Standing {
  checkOpen(standing)
  if (persons(standing.kept).length < 2) throw refused('not_possible', 'The computer does not agree on draws.')
  return ended(standing, { winner: null, reason: 'agreement' }, now)
}
