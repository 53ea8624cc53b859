/** Games as the server sends them. */
import type { Game, LastTurn, TurnView } from '../../src/api/model'
import { START } from './positions'

/** The move played in PLAYED. */
const LAST: LastTurn = {
  text: 'Ed5n',
  colour: 'w',
  kind: 'E',
  piece: 'wE1',
  manner: 'add',
  origin: null,
  origin_heading: null,
  origin_level: null,
  space: 'd5',
  heading: 'n',
  level: 1,
  path: ['d5'],
  covered: [],
  uncovered: [],
  emptied: [],
}

export function game(changes: Partial<Game> = {}): Game {
  const seat = { type: 'person' as const, name: null, level: null, player: null }
  return {
    id: 'one',
    rules: 'standard',
    seats: { w: seat, b: { type: 'engine', name: null, level: 1, player: null } },
    ply: 0,
    turn: 'w',
    result: '*',
    outcome: null,
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
    revision: 1,
    start: 'standard w',
    turns: [],
    view: START,
    repetitions: 1,
    may_undo: false,
    may_redo: false,
    may_resign: true,
    may_draw: false,
    clock: null,
    offer: null,
    next: null,
    time: null,
    rated: false,
    uncounted: null,
    listed: false,
    pauses: [],
    thinking: { state: 'idle', colour: null, level: null, since: null, message: null, code: null },
    ...changes,
  }
}

/** A move in a game's list, which adds a piece. */
export function turn(ply: number, text: string, changes: Partial<TurnView> = {}): TurnView {
  const colour = ply % 2 ? 'b' : 'w'
  return { ply, text, colour, kind: 'E', manner: 'add', level: 1, at: null, comment: null, ...changes }
}

/** The game one move later: the computer is to move. */
export const PLAYED = game({
  ply: 1,
  revision: 2,
  turn: 'b',
  turns: [turn(0, 'Ed5n')],
  view: { ...START, ply: 1, turn: 'b', last: LAST },
})

/** The game after the computer's reply. */
export const REPLIED = game({
  ply: 2,
  revision: 3,
  turns: [turn(0, 'Ed5n'), turn(1, 'Tl10n', { kind: 'T' })],
  may_undo: true,
  view: { ...START, ply: 2, last: { ...LAST, text: 'Tl10n', colour: 'b', kind: 'T', piece: 'bT1', space: 'l10' } },
})
