/** The board and two positions exactly as the server sends them. */
import type { Board, PositionView } from '../../src/api/model'
import { type Situation, situationOf } from '../../src/board/model/entry'
import { Shape } from '../../src/board/model/shape'
import board from '../fixtures/board.json'
import middle from '../fixtures/middle.json'
import start from '../fixtures/start.json'

export const SHAPE = new Shape(board as unknown as Board)
/** A position with stacks and bridges; White is to move. */
export const MIDDLE = middle as unknown as PositionView
export const START = start as unknown as PositionView

export function situation(view: PositionView, changes: Partial<Situation> = {}): Situation {
  return { ...situationOf(SHAPE, view, view.turn, true), ...changes }
}
