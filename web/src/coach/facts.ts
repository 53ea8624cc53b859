/**
 * What can truly be said about a turn. Each fact has conditions that make it true, read from what the kernel has seen
 * and proved; where none hold, there is nothing to say. `tests/analysis/test_coach.py` checks each against the library.
 */
import type { Colour, PieceView, SpaceName } from '../api/model'
import { partsOf } from '../board/model/groups'
import type { Shape } from '../board/model/shape'
import { stacksOf, topOf } from '../board/model/stacks'
import { other } from '../board/view/words'
import type { Evaluation } from './judgements'
import type { InspectedPosition, MoveAnalysis } from './moveAnalysis'

/**
 * `colour` is who does it, or has it. Facts about the turn itself come first; then how it is answered; then what would
 * have been better.
 */
export type Fact =
  /** The turn brought this colour's chain to light, from side to side. */
  | { readonly fact: 'uncovers'; readonly colour: Colour }
  /** The turn added the last piece, and this colour won the count. */
  | { readonly fact: 'behind'; readonly colour: Colour; readonly own: number; readonly others: number }
  /** The player could have connected. */
  | { readonly fact: 'could_connect'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** The player had only to add the last piece. */
  | { readonly fact: 'could_count'; readonly colour: Colour; readonly own: number; readonly others: number }
  /** The opponent can connect at once; `new` where that was not so before the turn. */
  | {
      readonly fact: 'connects'
      readonly colour: Colour
      readonly n: number
      readonly turn: string
      readonly new: boolean
    }
  /** A chain that the opponent can now close runs through a space that the turn uncovered. */
  | { readonly fact: 'through'; readonly colour: Colour; readonly space: SpaceName }
  /** The opponent has only to add the last piece; `new` as above. */
  | {
      readonly fact: 'counts'
      readonly colour: Colour
      readonly own: number
      readonly others: number
      readonly new: boolean
    }
  /** It is proved that the player could have won in so many turns. */
  | { readonly fact: 'could_force'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** It is proved that the opponent wins in so many turns. */
  | { readonly fact: 'forced'; readonly colour: Colour; readonly n: number; readonly turn: string }
  /** The winning chances of the player, in percent: an estimate, and said to be one. */
  | { readonly fact: 'falls'; readonly colour: Colour; readonly from: number; readonly to: number }
  /** After this turn its player threatens to connect in so many ways, and it is proved that no reply stops them all. */
  | { readonly fact: 'double'; readonly colour: Colour; readonly n: number; readonly turn: string }
  | { readonly fact: 'threatens'; readonly colour: Colour; readonly turn: string }
  /** The answer parts what was one chain of the player's, whose way from side to side becomes longer. */
  | { readonly fact: 'cuts'; readonly colour: Colour; readonly turn: string }
  /** The answer covers so many pieces of the player's that could move before; `space` is the PÜNCT's of the first. */
  | {
      readonly fact: 'blocks'
      readonly colour: Colour
      readonly n: number
      readonly turn: string
      readonly space: SpaceName
    }
  /** So many pieces of this colour have nothing on them after the answer. */
  | { readonly fact: 'free'; readonly colour: Colour; readonly n: number }
  /** The answer takes the lead in the central hexagon. */
  | {
      readonly fact: 'leads'
      readonly colour: Colour
      readonly turn: string
      readonly own: number
      readonly others: number
    }
  /** This colour has so few pieces left to add: the count is near. */
  | { readonly fact: 'left'; readonly colour: Colour; readonly n: number }
  /** After the better turn the opponent cannot win at once, as after this one. */
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
  /** It would have left the player nearer to a connection than the turn did, and than the player was. */
  | { readonly fact: 'better_nearer'; readonly colour: Colour; readonly turn: string }
  | { readonly fact: 'better'; readonly colour: Colour; readonly turn: string }

export type FactName = Fact['fact']
type Of<Name extends FactName> = Extract<Fact, { fact: Name }>

/** Facts that decide the game by themselves, or nearly: a question begins with the first of them. */
export type Grave = Of<
  'uncovers' | 'behind' | 'could_connect' | 'could_count' | 'connects' | 'counts' | 'could_force' | 'forced' | 'falls'
>

/** A chain that falls apart into a dot here and a dot there is hardly cut. */
const LEAST_PART = 2
/** By so much at least a cut that matters makes a way longer, and a turn that gets on makes it shorter. */
const STEP = 2
/** Who has so few pieces left to add is near the count; who has so few that can move is nearly stuck. */
const FEW_LEFT = 6
const FEW_FREE = 3
/** In plies: a turn, whatever reply, and the one that wins. */
const WIN_IN_TWO = 3

/** What a position still costs a player to connect, at the least. */
function nearest({ insight }: InspectedPosition, colour: Colour): number {
  return Math.min(...insight[colour].distances)
}

function canWinAtOnce({ insight }: InspectedPosition, colour: Colour): boolean {
  return insight[colour].wins > 0 || insight[colour].last_piece_wins
}

const turnsOf = (plies: number): number => Math.ceil(Math.abs(plies) / 2)
const percent = (chance: number): number => Math.round(chance * 100)

/** The pieces of a colour that could move in one position, and in the next lie under a piece of the other's. */
function blocked(before: InspectedPosition, after: InspectedPosition, colour: Colour): PieceView[] {
  // Pieces keep their names within a game, not from one text to another: what lies still is found by how it lies.
  const lies = ({ kind, space, heading, level }: PieceView): string => `${kind}${space}${heading}${level}`
  const free = new Set(before.view.pieces.filter((piece) => piece.colour === colour && piece.free).map(lies))
  const owners = new Map(after.view.pieces.map((piece) => [piece.id, piece.colour]))
  return after.view.pieces.filter(
    (piece) =>
      piece.colour === colour &&
      !piece.free &&
      free.has(lies(piece)) &&
      piece.blocked_by.some((above) => owners.get(above.piece) !== colour),
  )
}

function isCut(shape: Shape, before: InspectedPosition, after: InspectedPosition, colour: Colour): boolean {
  const parts = partsOf(shape, stacksOf(before.view), stacksOf(after.view), colour, LEAST_PART)
  return parts > 1 && nearest(after, colour) - nearest(before, colour) >= STEP
}

/** Who leads in the central hexagon where it is counted. */
function leads({ view: { rules, centre } }: InspectedPosition, colour: Colour): boolean {
  return rules === 'standard' && centre[colour] > centre[other(colour)]
}

/** What the turn itself did: the gravest first. */
export function graveFacts({ colour, before, after, had, left, turn }: MoveAnalysis): Grave[] {
  const opponent = other(colour)
  const { outcome, centre } = after.view
  if (outcome?.winner === colour) return []
  const facts: Grave[] = []
  const mine = before.insight[colour]
  if (mine.wins) {
    facts.push({ fact: 'could_connect', colour, n: mine.wins, turn: before.view.threats[colour].turns[0] ?? '' })
  } else if (mine.last_piece_wins) {
    facts.push({ fact: 'could_count', colour, own: mine.centre, others: before.insight[opponent].centre })
  }
  if (outcome?.winner === opponent && outcome.reason === 'connection')
    facts.push({ fact: 'uncovers', colour: opponent })
  if (outcome?.winner === opponent && outcome.reason === 'centre_count') {
    facts.push({ fact: 'behind', colour: opponent, own: centre[opponent], others: centre[colour] })
  }
  const theirs = after.insight[opponent]
  const isNew = !canWinAtOnce(before, opponent)
  if (theirs.wins) {
    const first = after.view.threats[opponent].turns[0] ?? ''
    facts.push({ fact: 'connects', colour: opponent, n: theirs.wins, turn: first, new: isNew })
  } else if (theirs.last_piece_wins) {
    facts.push({
      fact: 'counts',
      colour: opponent,
      own: theirs.centre,
      others: after.insight[colour].centre,
      new: isNew,
    })
  }
  if (facts.length || !left) return facts
  if (had.proven > 0 && Number.isFinite(had.proven) && left.proven >= 0) {
    facts.push({ fact: 'could_force', colour, n: turnsOf(had.proven), turn: had.best[0] ?? '' })
  }
  if (left.proven > 0 && Number.isFinite(left.proven)) {
    facts.push({ fact: 'forced', colour: opponent, n: turnsOf(left.proven), turn: left.best[0] ?? '' })
  }
  const [from, to] = [percent(had.chance), percent(1 - left.chance)]
  if (!facts.length && from > to && turn !== had.best[0]) facts.push({ fact: 'falls', colour, from, to })
  return facts
}

/** The first turn of a win in two, if it does what most of them do: threaten more than one reply can stop. */
function doubleThreat(
  colour: Colour,
  prospect: Evaluation | null,
  first: { readonly turn: string; readonly sight: InspectedPosition } | null,
): Of<'double'>[] {
  const n = first?.sight.insight[colour].wins ?? 0
  const proved = prospect?.proven === WIN_IN_TWO && prospect.best[0] === first?.turn
  return first && proved && n > 1 ? [{ fact: 'double', colour, n, turn: first.turn }] : []
}

/** Why the turn was as grave as that: what it uncovered, and what the answer does. */
function answerFacts(shape: Shape, { colour, after, answer, left }: MoveAnalysis): Fact[] {
  const opponent = other(colour)
  const uncovered = new Set(after.view.last?.uncovered.map(({ space }) => space))
  const stacks = stacksOf(after.view)
  const shown = after.view.threats[opponent].chain.find(
    (space) => uncovered.has(space) && topOf(stacks, space)?.colour === opponent,
  )
  if (shown) return [{ fact: 'through', colour: opponent, space: shown }]
  if (!answer || answer.sight.view.outcome) return []
  const { turn, sight } = answer
  const { wins } = sight.insight[opponent]
  const done = { colour: opponent, turn }
  const [double] = doubleThreat(opponent, left, answer)
  if (double) return [double]
  if (wins) return [{ fact: 'threatens', ...done }]
  if (isCut(shape, after, sight, colour)) return [{ fact: 'cuts', ...done }]
  const under = blocked(after, sight, colour)
  const [first] = under
  if (first) {
    const { free } = sight.insight[colour]
    return [
      { fact: 'blocks', ...done, n: under.length, space: first.space },
      ...(free <= FEW_FREE ? [{ fact: 'free' as const, colour, n: free }] : []),
    ]
  }
  const few = Math.min(sight.insight[colour].left, sight.insight[opponent].left)
  if (leads(sight, opponent) && !leads(after, opponent) && few <= FEW_LEFT) {
    const { centre } = sight.view
    const near = sight.insight[opponent].left === few ? opponent : colour
    return [
      { fact: 'leads', ...done, own: centre[opponent], others: centre[colour] },
      { fact: 'left', colour: near, n: few },
    ]
  }
  return []
}

/** What would have been better about the better turn. */
function betterFacts(shape: Shape, { colour, before, after, better }: MoveAnalysis): Fact[] {
  if (!better) return []
  const opponent = other(colour)
  const { turn, sight } = better
  const done = { colour, turn }
  // Who wins with it has been told so.
  if (sight.view.outcome?.winner === colour) return []
  if (canWinAtOnce(after, opponent) && !canWinAtOnce(sight, opponent) && !sight.view.outcome) {
    return [{ fact: 'better_stops', ...done }]
  }
  if (sight.view.outcome) return [{ fact: 'better', ...done }]
  if (sight.insight[colour].wins) return [{ fact: 'better_threatens', ...done }]
  if (isCut(shape, before, sight, opponent)) return [{ fact: 'better_cuts', ...done }]
  const under = blocked(before, sight, opponent)
  const [first] = under
  if (first) return [{ fact: 'better_blocks', ...done, n: under.length, space: first.space }]
  const few = Math.min(sight.insight[colour].left, sight.insight[opponent].left)
  if (leads(sight, colour) && !leads(after, colour) && few <= FEW_LEFT) {
    const { centre } = sight.view
    return [{ fact: 'better_leads', ...done, own: centre[colour], others: centre[opponent] }]
  }
  const near = nearest(sight, colour)
  if (near < nearest(before, colour) && nearest(after, colour) - near >= STEP) {
    return [{ fact: 'better_nearer', ...done }]
  }
  return [{ fact: 'better', ...done }]
}

/** Everything that can be said about a turn, the gravest first. */
export function factsOf(shape: Shape, about: MoveAnalysis): Fact[] {
  const [first] = graveFacts(about)
  if (!first) return []
  switch (first.fact) {
    // Whoever missed a win need not hear what else there was.
    case 'could_connect':
    case 'could_count':
      return [first]
    case 'could_force':
      return [first, ...doubleThreat(about.colour, about.had, about.better)]
    default:
      return [first, ...answerFacts(shape, about), ...betterFacts(shape, about)]
  }
}
