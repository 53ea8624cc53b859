/** The server's words, under short names. Everything here is generated from the server's own description. */
import type { components } from './types'

type Schemas = components['schemas']

export type Board = Schemas['Board']
export type PieceView = Schemas['PieceView']
export type LegalTurns = Schemas['LegalTurns']
export type LastTurn = Schemas['LastTurn']
export type PositionView = Schemas['PositionView']
export type ErrorAnswer = Schemas['ErrorAnswer']
export type Explanation = Schemas['Explanation']
export type Game = Schemas['Game']
export type GameSummary = Schemas['GameSummary']
export type GameList = Schemas['GameList']
export type NewGame = Schemas['NewGame']
export type TurnView = Schemas['TurnView']
export type Hint = Schemas['Hint']
export type Thinking = Schemas['Thinking']
export type Level = Schemas['Level']
export type LevelResult = Schemas['LevelResult']
export type LiveThinking = Schemas['LiveThinking']
export type LiveMessage =
  Schemas['LiveGame'] | Schemas['LiveThinking'] | Schemas['LiveGone'] | Schemas['LivePong'] | Schemas['LiveError']

export type Colour = PositionView['turn']
export type Kind = PieceView['kind']
export type Heading = PieceView['heading']
export type SpaceName = string

export const KINDS: readonly Kind[] = ['T', 'C', 'E', 'M', 'L', 'R']
/** Clockwise from straight up. */
export const HEADINGS: readonly Heading[] = ['n', 'ne', 'se', 's', 'sw', 'nw']
