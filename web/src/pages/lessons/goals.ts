/**
 * The goals of lessons, as data. A goal is a set of conditions, and is reached when all of them hold. They are checked
 * against the judge's view of a position: no rules are implemented here.
 */
import type { Colour, Kind, LastTurn, PositionView, SpaceName } from '../../api/model'
import { groupAt } from '../../board/model/groups'
import { Legal } from '../../board/model/legal'
import type { Shape } from '../../board/model/shape'
import { heightOf, type Stacks, stacksOf, topOf } from '../../board/model/stacks'

export type Manner = LastTurn['manner']

export interface Goal {
  /** The code of the rule that the last try breaks. */
  readonly refused?: string
  /** The last move has one of these manners. */
  readonly manner?: readonly Manner[]
  /** The last move's piece is of this kind. */
  readonly kind?: Kind
  /** The last move's piece lies at least this high. */
  readonly level?: number
  /** The PÜNCT of the last move's piece is on this space. */
  readonly space?: SpaceName
  /** This colour has won. */
  readonly winner?: Colour
  /** The game has ended in a draw. */
  readonly draw?: true
  /** `true`: the game is over; otherwise the reason for which it has ended. */
  readonly ended?: true | NonNullable<PositionView['outcome']>['reason']
  /** Whether no next move of the opponent connects. */
  readonly safe?: boolean
  /** At least so many moves of the player would connect, if the player were to move. */
  readonly threats?: number
  /** The player has at least this count in the central hexagon. */
  readonly centre?: number
  /** The player's count there exceeds the opponent's by at least this. */
  readonly lead?: number
  /** The opponent's pieces with their PÜNCT on these spaces can neither move nor rotate. */
  readonly blocked?: readonly SpaceName[]
  /** At least so many pieces of the player have nothing on them. */
  readonly free?: number
  /** A chain of the player connects these spaces. */
  readonly joined?: readonly [SpaceName, SpaceName]
  /** No chain of the opponent connects these spaces. */
  readonly apart?: readonly [SpaceName, SpaceName]
  /** The player has played at least so many moves. */
  readonly turns?: number
  /** The player has a legal move of this manner. */
  readonly may?: 'jump' | 'bridge'
}

/** The position that a goal is checked against. */
export interface GoalPosition {
  readonly shape: Shape
  readonly view: PositionView
  /** The learner's colour. */
  readonly player: Colour
  /** The codes of the rules that the last try breaks. */
  readonly refused: readonly string[]
  /** How many moves the player has played. */
  readonly turns: number
}

type Check = (expected: never, position: GoalPosition) => boolean

const other = (colour: Colour): Colour => (colour === 'w' ? 'b' : 'w')

const CHECKS = {
  refused: (code: string, { refused }) => refused.includes(code),
  manner: (manners: readonly Manner[], { view }) => view.last !== null && manners.includes(view.last.manner),
  kind: (kind: Kind, { view }) => view.last?.kind === kind,
  level: (level: number, { view }) => (view.last?.level ?? 0) >= level,
  space: (space: SpaceName, { view }) => view.last?.space === space,
  winner: (winner: Colour, { view }) => view.outcome?.winner === winner,
  draw: (_: true, { view }) => view.outcome !== null && view.outcome.winner === null,
  ended: (reason: true | string, { view }) =>
    view.outcome !== null && (reason === true || view.outcome.reason === reason),
  safe: (safe: boolean, { view, player }) => !view.outcome && (view.threats[other(player)].count === 0) === safe,
  threats: (min: number, { view, player }) => view.threats[player].count >= min,
  centre: (min: number, { view, player }) => view.centre[player] >= min,
  lead: (min: number, { view, player }) => !view.outcome && view.centre[player] - view.centre[other(player)] >= min,
  blocked: (spaces: readonly SpaceName[], { view, player }) =>
    spaces.every((space) => {
      const pieces = view.pieces.filter((piece) => piece.space === space && piece.colour !== player)
      return pieces.length > 0 && pieces.every((piece) => !piece.free)
    }),
  free: (min: number, { view, player }) =>
    view.pieces.filter((piece) => piece.colour === player && piece.free).length >= min,
  joined: ([one, another]: readonly [SpaceName, SpaceName], { shape, view, player }) =>
    joins(shape, stacksOf(view), player, one, another),
  apart: ([one, another]: readonly [SpaceName, SpaceName], { shape, view, player }) =>
    !joins(shape, stacksOf(view), other(player), one, another),
  turns: (min: number, { turns }) => turns >= min,
  may: (manner: 'jump' | 'bridge', { shape, view, player }) => view.turn === player && hasMove(shape, view, manner),
} as const satisfies Record<keyof Goal, (expected: never, position: GoalPosition) => boolean>

/** Whether all conditions of a goal hold. */
export function isGoalReached(goal: Goal, position: GoalPosition): boolean {
  return (Object.keys(goal) as (keyof Goal)[]).every((name) => {
    const check = CHECKS[name] as Check | undefined
    if (!check) throw new RangeError(`no goal can ask for ${name}`)
    return check(goal[name] as never, position)
  })
}

/** Whether a chain of a colour, seen from above, connects two spaces. */
function joins(shape: Shape, stacks: Stacks, colour: Colour, from: SpaceName, to: SpaceName): boolean {
  return topOf(stacks, from)?.colour === colour && groupAt(shape, stacks, from).has(to)
}

/** Whether a legal move lands on other pieces: on one level it is a jump, otherwise a bridge. */
function hasMove(shape: Shape, view: PositionView, manner: 'jump' | 'bridge'): boolean {
  const stacks = stacksOf(view)
  const legal = new Legal(shape, view.legal)
  return view.pieces
    .filter((piece) => piece.colour === view.turn && piece.free && legal.canMove(piece.space))
    .some(({ id, kind, space }) =>
      [...legal.targets({ from: 'board', kind, piece: id, space })].some(([target, headings]) =>
        headings.some((heading) => {
          const spaces = shape.footprint(kind, target, heading) ?? []
          const floors = new Set(spaces.map(({ name }) => heightOf(stacks, name, id)))
          return manner === 'bridge' ? floors.size > 1 : floors.size === 1 && !floors.has(0)
        }),
      ),
    )
}
