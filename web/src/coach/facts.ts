/**
 * The facts that can be stated about a move. Each has conditions that make it true, read from what the kernel has seen
 * and proven; where none hold, there is nothing to say. `tests/analysis/test_coach.py` checks each against the library.
 */
import type { Colour, PieceView, SpaceName } from '../api/model'
import { partsOf } from '../board/model/groups'
import type { Shape } from '../board/model/shape'
import { stacksOf, topOf } from '../board/model/stacks'
import { other } from '../board/view/words'
import type { Evaluation } from './judgements'
import type { InspectedPosition, MoveAnalysis } from './moveAnalysis'

/**
 * `colour` is whose fact it is. Facts about the move itself come first; then about the reply; then about what would
 * have been better.
 */
export type Fact =
  /** The move uncovered this colour's chain, from side to side. */
  | { readonly fact: 'uncovers'; readonly colour: Colour }
  /** The move added the last piece, and this colour won the count. */
  | { readonly fact: 'behind'; readonly colour: Colour; readonly own: number; readonly others: number }
  /** The player could have connected. */
  | { readonly fact: 'could_connect'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** The player had only to add the last piece. */
  | { readonly fact: 'could_count'; readonly colour: Colour; readonly own: number; readonly others: number }
  /** The opponent can connect at once; `new` where that was not so before the move. */
  | {
      readonly fact: 'connects'
      readonly colour: Colour
      readonly n: number
      readonly turn: string
      readonly new: boolean
    }
  /** A chain that the opponent can now close runs through a space that the move uncovered. */
  | { readonly fact: 'through'; readonly colour: Colour; readonly space: SpaceName }
  /** The opponent has only to add the last piece; `new` as above. */
  | {
      readonly fact: 'counts'
      readonly colour: Colour
      readonly own: number
      readonly others: number
      readonly new: boolean
    }
  /** It is proven that the player could have won in so many moves. */
  | { readonly fact: 'could_force'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** It is proven that the opponent wins in so many moves. */
  | { readonly fact: 'forced'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** The winning chances of the player, in percent: an estimate, and called one. */
  | { readonly fact: 'falls'; readonly colour: Colour; readonly from: number; readonly to: number }
  /** After this move its player threatens to connect in so many ways, and it is proven that no reply stops them all. */
  | { readonly fact: 'double'; readonly colour: Colour; readonly n: number; readonly turn: string }
  | { readonly fact: 'threatens'; readonly colour: Colour; readonly turn: string }
  /** The reply splits a chain of the player's, whose way from side to side becomes longer. */
  | { readonly fact: 'cuts'; readonly colour: Colour; readonly turn: string }
  /** The reply covers so many pieces of the player's that could move before; `space` is the PÜNCT's of the first. */
  | {
      readonly fact: 'blocks'
      readonly colour: Colour
      readonly n: number
      readonly turn: string
      readonly space: SpaceName
    }
  /** So many pieces of this colour have nothing on them after the reply. */
  | { readonly fact: 'free'; readonly colour: Colour; readonly n: number }
  /** The reply takes the lead in the central hexagon. */
  | {
      readonly fact: 'leads'
      readonly colour: Colour
      readonly turn: string
      readonly own: number
      readonly others: number
    }
  /** This colour has so few pieces left to add: the count is near. */
  | { readonly fact: 'left'; readonly colour: Colour; readonly n: number }
  /** After the better move the opponent cannot win at once, as after this one. */
  | { readonly fact: 'better_stops'; readonly colour: Colour; readonly turn: string }
  | { readonly fact: 'better_threatens'; readonly colour: Colour; readonly turn: string }
  | { readonly fact: 'better_cuts'; readonly colour: Colour; readonly turn: string }
  | {
      readonly fact: 'better_blocks'
      readonly colour: Colour
      readonly n: number
      readonly turn: string
      readonly space: SpaceName
    }
  | {
      readonly fact: 'better_leads'
      readonly colour: Colour
      readonly turn: string
      readonly own: number
      readonly others: number
    }
  /** It would have left the player nearer to a connection than the move did, and than the player was. */
  | { readonly fact: 'better_nearer'; readonly colour: Colour; readonly turn: string }
  | { readonly fact: 'better'; readonly colour: Colour; readonly turn: string }

type FactName = Fact['fact']
type Of<Name extends FactName> = Extract<Fact, { fact: Name }>

/** Facts that decide the game by themselves, or nearly: a question is about the first of them. */
export type SevereFact = Of<
  'uncovers' | 'behind' | 'could_connect' | 'could_count' | 'connects' | 'counts' | 'could_force' | 'forced' | 'falls'
>

/** A chain that falls apart into single dots is hardly cut. */
const MIN_PART_DOTS = 2
/** A cut that matters makes a way longer by at least so much, and progress makes it shorter. */
const MIN_DISTANCE_CHANGE = 2
/** So few pieces left to add mean that the count is near; so few that can move, that a player is nearly stuck. */
const MAX_LEFT_NEAR_COUNT = 6
const MAX_FREE_NEARLY_STUCK = 3
/** In plies: a move, whatever reply, and the one that wins. */
const WIN_IN_TWO = 3

/** The shortest distance of a player to a connection. */
function shortestDistance({ insight }: InspectedPosition, colour: Colour): number {
  return Math.min(...insight[colour].distances)
}

function canWinAtOnce({ insight }: InspectedPosition, colour: Colour): boolean {
  return insight[colour].wins > 0 || insight[colour].last_piece_wins
}

const movesOf = (plies: number): number => Math.ceil(Math.abs(plies) / 2)
const percent = (chance: number): number => Math.round(chance * 100)

/** The pieces of a colour that could move in one position, and in the next lie under a piece of the other's. */
function blockedPieces(before: InspectedPosition, after: InspectedPosition, colour: Colour): PieceView[] {
  // Piece ids are stable within a game, not from one text to another: pieces are compared by how they lie.
  const keyOf = ({ kind, space, heading, level }: PieceView): string => `${kind}${space}${heading}${level}`
  const free = new Set(before.view.pieces.filter((piece) => piece.colour === colour && piece.free).map(keyOf))
  const owners = new Map(after.view.pieces.map((piece) => [piece.id, piece.colour]))
  return after.view.pieces.filter(
    (piece) =>
      piece.colour === colour &&
      !piece.free &&
      free.has(keyOf(piece)) &&
      piece.blocked_by.some((above) => owners.get(above.piece) !== colour),
  )
}

function isCut(shape: Shape, before: InspectedPosition, after: InspectedPosition, colour: Colour): boolean {
  const parts = partsOf(shape, stacksOf(before.view), stacksOf(after.view), colour, MIN_PART_DOTS)
  return parts > 1 && shortestDistance(after, colour) - shortestDistance(before, colour) >= MIN_DISTANCE_CHANGE
}

/** Whether a colour leads in the central hexagon, where it is counted. */
function leads({ view: { rules, centre } }: InspectedPosition, colour: Colour): boolean {
  return rules === 'standard' && centre[colour] > centre[other(colour)]
}

/** The severe facts about the move itself, the worst first. */
export function severeFacts({
  colour,
  before,
  after,
  evaluationBefore,
  evaluationAfter,
  move,
}: MoveAnalysis): SevereFact[] {
  const opponent = other(colour)
  const { outcome, centre } = after.view
  if (outcome?.winner === colour) return []
  const facts: SevereFact[] = []
  const own = before.insight[colour]
  if (own.wins) {
    facts.push({ fact: 'could_connect', colour, n: own.wins, turn: before.view.threats[colour].turns[0] ?? '' })
  } else if (own.last_piece_wins) {
    facts.push({ fact: 'could_count', colour, own: own.centre, others: before.insight[opponent].centre })
  }
  if (outcome?.winner === opponent && outcome.reason === 'connection')
    facts.push({ fact: 'uncovers', colour: opponent })
  if (outcome?.winner === opponent && outcome.reason === 'centre_count') {
    facts.push({ fact: 'behind', colour: opponent, own: centre[opponent], others: centre[colour] })
  }
  const opponents = after.insight[opponent]
  const isNew = !canWinAtOnce(before, opponent)
  if (opponents.wins) {
    const first = after.view.threats[opponent].turns[0] ?? ''
    facts.push({ fact: 'connects', colour: opponent, n: opponents.wins, turn: first, new: isNew })
  } else if (opponents.last_piece_wins) {
    facts.push({
      fact: 'counts',
      colour: opponent,
      own: opponents.centre,
      others: after.insight[colour].centre,
      new: isNew,
    })
  }
  if (facts.length || !evaluationAfter) return facts
  if (evaluationBefore.proven > 0 && Number.isFinite(evaluationBefore.proven) && evaluationAfter.proven >= 0) {
    facts.push({
      fact: 'could_force',
      colour,
      n: movesOf(evaluationBefore.proven),
      turn: evaluationBefore.best[0] ?? '',
    })
  }
  if (evaluationAfter.proven > 0 && Number.isFinite(evaluationAfter.proven)) {
    facts.push({
      fact: 'forced',
      colour: opponent,
      n: movesOf(evaluationAfter.proven),
      turn: evaluationAfter.best[0] ?? '',
    })
  }
  const [from, to] = [percent(evaluationBefore.chance), percent(1 - evaluationAfter.chance)]
  if (!facts.length && from > to && move !== evaluationBefore.best[0]) facts.push({ fact: 'falls', colour, from, to })
  return facts
}

/** The first move of a win in two, if it does what most of them do: threaten more than one reply can stop. */
function doubleThreat(
  colour: Colour,
  evaluation: Evaluation | null,
  first: { readonly move: string; readonly position: InspectedPosition } | null,
): Of<'double'>[] {
  const n = first?.position.insight[colour].wins ?? 0
  const isProven = evaluation?.proven === WIN_IN_TWO && evaluation.best[0] === first?.move
  return first && isProven && n > 1 ? [{ fact: 'double', colour, n, turn: first.move }] : []
}

/** Why the move was as severe as that: what it uncovered, and what the reply does. */
function answerFacts(shape: Shape, { colour, after, reply, evaluationAfter }: MoveAnalysis): Fact[] {
  const opponent = other(colour)
  const uncovered = new Set(after.view.last?.uncovered.map(({ space }) => space))
  const stacks = stacksOf(after.view)
  const uncoveredSpace = after.view.threats[opponent].chain.find(
    (space) => uncovered.has(space) && topOf(stacks, space)?.colour === opponent,
  )
  if (uncoveredSpace) return [{ fact: 'through', colour: opponent, space: uncoveredSpace }]
  if (!reply || reply.position.view.outcome) return []
  const { move, position } = reply
  const { wins } = position.insight[opponent]
  const common = { colour: opponent, turn: move }
  const [double] = doubleThreat(opponent, evaluationAfter, reply)
  if (double) return [double]
  if (wins) return [{ fact: 'threatens', ...common }]
  if (isCut(shape, after, position, colour)) return [{ fact: 'cuts', ...common }]
  const blocked = blockedPieces(after, position, colour)
  const [first] = blocked
  if (first) {
    const { free } = position.insight[colour]
    return [
      { fact: 'blocks', ...common, n: blocked.length, space: first.space },
      ...(free <= MAX_FREE_NEARLY_STUCK ? [{ fact: 'free' as const, colour, n: free }] : []),
    ]
  }
  const fewestLeft = Math.min(position.insight[colour].left, position.insight[opponent].left)
  if (leads(position, opponent) && !leads(after, opponent) && fewestLeft <= MAX_LEFT_NEAR_COUNT) {
    const { centre } = position.view
    const nearCount = position.insight[opponent].left === fewestLeft ? opponent : colour
    return [
      { fact: 'leads', ...common, own: centre[opponent], others: centre[colour] },
      { fact: 'left', colour: nearCount, n: fewestLeft },
    ]
  }
  return []
}

/** What would have been better about the better move. */
function betterFacts(shape: Shape, { colour, before, after, better }: MoveAnalysis): Fact[] {
  if (!better) return []
  const opponent = other(colour)
  const { move, position } = better
  const common = { colour, turn: move }
  // A winning move was mentioned already.
  if (position.view.outcome?.winner === colour) return []
  if (canWinAtOnce(after, opponent) && !canWinAtOnce(position, opponent) && !position.view.outcome) {
    return [{ fact: 'better_stops', ...common }]
  }
  if (position.view.outcome) return [{ fact: 'better', ...common }]
  if (position.insight[colour].wins) return [{ fact: 'better_threatens', ...common }]
  if (isCut(shape, before, position, opponent)) return [{ fact: 'better_cuts', ...common }]
  const blocked = blockedPieces(before, position, opponent)
  const [first] = blocked
  if (first) return [{ fact: 'better_blocks', ...common, n: blocked.length, space: first.space }]
  const fewestLeft = Math.min(position.insight[colour].left, position.insight[opponent].left)
  if (leads(position, colour) && !leads(after, colour) && fewestLeft <= MAX_LEFT_NEAR_COUNT) {
    const { centre } = position.view
    return [{ fact: 'better_leads', ...common, own: centre[colour], others: centre[opponent] }]
  }
  const distance = shortestDistance(position, colour)
  if (
    distance < shortestDistance(before, colour) &&
    shortestDistance(after, colour) - distance >= MIN_DISTANCE_CHANGE
  ) {
    return [{ fact: 'better_nearer', ...common }]
  }
  return [{ fact: 'better', ...common }]
}

/** Everything that can be said about a move, the worst first. */
export function factsOf(shape: Shape, analysis: MoveAnalysis): Fact[] {
  const [first] = severeFacts(analysis)
  if (!first) return []
  switch (first.fact) {
    // After a missed win nothing else matters.
    case 'could_connect':
    case 'could_count':
      return [first]
    case 'could_force':
      return [first, ...doubleThreat(analysis.colour, analysis.evaluationBefore, analysis.better)]
    default:
      return [first, ...answerFacts(shape, analysis), ...betterFacts(shape, analysis)]
  }
}
