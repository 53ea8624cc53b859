/** Conditional moves as lines and as a tree. */
import type { PlannedReply } from '../api/model'

/** A line from the current position: the opponent's moves and the replies in turn. */
export type Line = readonly string[]

/** The replies with a line added; another reply to the same move is replaced. A move without a reply is left out. */
export function addLine(replies: readonly PlannedReply[], line: Line): PlannedReply[] {
  const [turn, reply, ...rest] = line
  if (turn === undefined || reply === undefined) return [...replies]
  const existing = replies.find((planned) => planned.turn === turn)
  const then = addLine(existing?.reply === reply ? existing.then : [], rest)
  const added = { turn, reply, then }
  return existing ? replies.map((planned) => (planned === existing ? added : planned)) : [...replies, added]
}

/** The replies without one, and whatever follows it; `line` leads to it. */
export function removeLine(replies: readonly PlannedReply[], line: Line): PlannedReply[] {
  const [turn, , ...rest] = line
  return replies.flatMap((planned) => {
    if (planned.turn !== turn) return [planned]
    return rest.length ? [{ ...planned, then: removeLine(planned.then, rest) }] : []
  })
}

/** Whether a line is planned already. */
export function hasLine(replies: readonly PlannedReply[], line: Line): boolean {
  const [turn, reply, ...rest] = line
  const planned = replies.find((candidate) => candidate.turn === turn && candidate.reply === reply)
  return planned !== undefined && (rest.length === 0 || hasLine(planned.then, rest))
}
