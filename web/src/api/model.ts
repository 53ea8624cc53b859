/** The API's types under short names, from the server's own description: `npm run types` writes them. */
import type { components } from '../../../build/openapi'

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
export type ListedGame = Schemas['ListedGame']
export type GameList = Schemas['GameList']
export type FoundGames = Schemas['FoundGames']
export type NewGame = Schemas['NewGame']
export type TurnView = Schemas['TurnView']
export type Hint = Schemas['Hint']
export type Thinking = Schemas['Thinking']
export type Level = Schemas['Level']
export type LevelResult = Schemas['LevelResult']
export type Device = Schemas['Device']
export type NotificationSettings = Schemas['NotificationSettings']
export type NotificationChanges = Schemas['NotificationChanges']
export type LiveThinking = Schemas['LiveThinking']

export type Colour = PositionView['turn']
export type Kind = PieceView['kind']
export type Heading = PieceView['heading']
export type SpaceName = string

export const KINDS: readonly Kind[] = ['T', 'C', 'E', 'M', 'L', 'R']
/** Clockwise from straight up. */
export const HEADINGS: readonly Heading[] = ['n', 'ne', 'se', 's', 'sw', 'nw']

// ------------------------------------------------------------------ between people

export type Me = Schemas['Me']
export type Rating = Schemas['RatingView']
export type Player = Schemas['PublicPlayer']
export type ClockView = Schemas['Clock']
export type PauseView = Schemas['PauseView']
export type Vacations = Schemas['VacationsView']
export type Offer = Schemas['Offer']
export type OfferKind = Offer['kind']
export type Greeting = Schemas['LiveGreeting']['greeting']
export type Scope = Schemas['TokenView']['scopes'][number]

export type You = Schemas['You']

export type Presence = Omit<Schemas['LivePresence'], 'type'>
export type LiveMessage = Schemas['LiveMessage']

export type Challenge = Schemas['Challenge']
export type ChallengeWish = Partial<Schemas['NewChallenge']>
/** A live game that two players arrange for a date. */
export type Appointment = Schemas['Appointment']
export type AppointmentWish = Schemas['NewAppointment']

export type Lobby = Schemas['LobbyView']
export type LobbyMessage = Schemas['LobbyMessage']

export type Passkey = Schemas['PasskeyView']
/** Proves again who an account holder is: their password, or a passkey's response. */
export type Proof = { readonly password: string } | { readonly passkey: unknown }
export type Token = Schemas['TokenView']
export type MailAddress = Schemas['MailView']
export type NewToken = Schemas['NewToken']
export type Hook = Schemas['Hook']
export type HookForm = Hook['form']
export type NewHook = Schemas['CreatedHook']
export type HookTest = Schemas['HookTest']

export type FoundPlayers = Schemas['FoundPlayers']
export type Relation = Schemas['Relation']
export type RelationList = Schemas['RelationList']
export type SeatAlert = Schemas['SeatAlertView']
export type SeatAlertWish = Partial<Schemas['SeatAlertRequest']>
export type OwnChallenges = Schemas['OwnChallenges']

export type PlayerPage = Schemas['PlayerPage']
export type Habits = Schemas['Habits']
/** How soon a player answers, and whether they finish their games. */
export type AnswerHabits = Pick<Habits, 'answer' | 'correspondence'>
export type HabitsOfPlayer = Schemas['HabitsOfPlayer']
export type HabitsSettings = Schemas['OwnHabitsSettings']
export type PublicFiles = Schemas['PublicFiles']
export type CurvePoint = Schemas['CurvePoint']
export type Curve = Schemas['RatingCurve']
export type Leaders = Schemas['Leaderboard']

// ------------------------------------------------------------------ beside an analysis

export type Opening = Schemas['Opening']
export type Sources = Schemas['Sources']
export type Review = Schemas['Review']
export type ReviewRequest = Schemas['ReviewRequest']
/** A move of a finished game, as reviewed by an engine. */
export type Remark = Schemas['ReviewedTurnView']

// ------------------------------------------------------------------ a player's own desk at a game

/** The player's conditional moves. */
export type Plan = Schemas['PlanView']
export type PlannedReply = Schemas['ReplyView']
export type PlanRequest = Schemas['PlanRequest']
/** The player's notes and variations. */
export type Notebook = Schemas['NotebookView']
export type NotebookRequest = Schemas['NotebookRequest']

// ------------------------------------------------------------------ puzzles on the account

export type PuzzleTry = Schemas['PuzzleTry']
export type PuzzleSkill = Schemas['PuzzleSkill']
export type PuzzleStanding = Schemas['PuzzleStanding']
export type PuzzlesTried = Schemas['PuzzlesTried']
