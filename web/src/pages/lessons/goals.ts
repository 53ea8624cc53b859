/**
 * What a lesson asks for, as data. A goal names conditions, and is reached when all of them hold. Whether they do is
 * read from what the judge says of a position: nothing here knows a rule.
 */
import type { Colour, Kind, LastTurn, PositionView, SpaceName } from '../../api/model'
import { groupAt } from '../../board/model/groups'
import { Legal } from '../../board/model/legal'
import type { Shape } from '../../board/model/shape'
import { heightOf, type Stacks, stacksOf, topOf } from '../../board/model/stacks'

export type Manner = LastTurn['manner']

export interface Goal {
  /** A turn was tried that this rule forbids, by the rule's code. */
  readonly refused?: string
  /** The last turn was played in one of these ways. */
  readonly manner?: readonly Manner[]
  /** Its piece was of this kind. */
  readonly kind?: Kind
  /** Its piece came to lie this high at least. */
  readonly level?: number
  /** Its PÜNCT came to this space. */
  readonly space?: SpaceName
  /** This colour has won. */
  readonly winner?: Colour
  /** Nobody has won, and nobody will. */
  readonly draw?: true
  /** The game is over; or has ended for this reason. */
  readonly ended?: true | NonNullable<PositionView['outcome']>['reason']
  /** Whether the opponent could not connect with the next turn. */
  readonly safe?: boolean
  /** With so many turns at least the player could connect, were it the player's turn. */
  readonly threats?: number
  /** So many dots of the player at least show in the central hexagon. */
  readonly centre?: number
  /** So many more than the opponent's. */
  readonly lead?: number
  /** The opponent's pieces with their PÜNCT there can neither move nor rotate. */
  readonly blocked?: readonly SpaceName[]
  /** So many pieces of the player at least have nothing on them. */
  readonly free?: number
  /** A chain of the player joins these spaces. */
  readonly joined?: readonly [SpaceName, SpaceName]
  /** No chain of the opponent joins these spaces. */
  readonly apart?: readonly [SpaceName, SpaceName]
  /** The player has played so many turns at least. */
  readonly turns?: number
  /** The player may play a turn of this manner now. */
  readonly may?: 'jump' | 'bridge'
}

/** What a goal is asked about. */
export interface GoalPosition {
  readonly shape: Shape
  readonly view: PositionView
  /** Whose exercise it is. */
  readonly player: Colour
  /** The rules that the last try broke. */
  readonly refused: readonly string[]
  /** How many turns the player has played. */
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
  threats: (least: number, { view, player }) => view.threats[player].count >= least,
  centre: (least: number, { view, player }) => view.centre[player] >= least,
  lead: (least: number, { view, player }) => !view.outcome && view.centre[player] - view.centre[other(player)] >= least,
  blocked: (spaces: readonly SpaceName[], { view, player }) =>
    spaces.every((space) => {
      const pieces = view.pieces.filter((piece) => piece.space === space && piece.colour !== player)
      return pieces.length > 0 && pieces.every((piece) => !piece.free)
    }),
  free: (least: number, { view, player }) =>
    view.pieces.filter((piece) => piece.colour === player && piece.free).length >= least,
  joined: ([one, another]: readonly [SpaceName, SpaceName], { shape, view, player }) =>
    joins(shape, stacksOf(view), player, one, another),
  apart: ([one, another]: readonly [SpaceName, SpaceName], { shape, view, player }) =>
    !joins(shape, stacksOf(view), other(player), one, another),
  turns: (least: number, { turns }) => turns >= least,
  may: (manner: 'jump' | 'bridge', { shape, view, player }) => view.turn === player && may(shape, view, manner),
} as const satisfies Record<keyof Goal, (expected: never, position: GoalPosition) => boolean>

/** Whether all that a goal asks for is so. */
export function isGoalReached(goal: Goal, position: GoalPosition): boolean {
  return (Object.keys(goal) as (keyof Goal)[]).every((name) => {
    const check = CHECKS[name] as Check | undefined
    if (!check) throw new RangeError(`no goal can ask for ${name}`)
    return check(goal[name] as never, position)
  })
}

/** Whether a chain of a colour, seen from above, leads from one space to another. */
function joins(shape: Shape, stacks: Stacks, colour: Colour, from: SpaceName, to: SpaceName): boolean {
  return topOf(stacks, from)?.colour === colour && groupAt(shape, stacks, from).has(to)
}

/** Whether one of the turns allowed lands on other pieces: flat is a jump, otherwise it is a bridge. */
function may(shape: Shape, view: PositionView, manner: 'jump' | 'bridge'): boolean {
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
