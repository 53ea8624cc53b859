import { describe, expect, it } from 'vitest'

import type { PositionView } from '../../../src/api/model'
import {
  type Action,
  type EntryResult,
  type Entry,
  IDLE,
  type Situation,
  enter,
  ghostOf,
  originOf,
  stepOf,
} from '../../../src/board/model/entry'
import { MIDDLE, START, situation } from '../../support/positions'

const MID = situation(MIDDLE)

/** Play actions one after the other; the last answer. */
function after(now: Situation, ...actions: Action[]): EntryResult {
  return actions.reduce<EntryResult>((entered, action) => enter(entered.entry, action, now), { entry: IDLE })
}

const take: Action = { do: 'take', kind: 'E', colour: 'w' }
const tap = (space: string): Action => ({ do: 'tap', space })
const hover = (space: string | null): Action => ({ do: 'hover', space })
const rotate: Action = { do: 'rotate', steps: 1 }
const back: Action = { do: 'rotate', steps: -1 }
const confirm: Action = { do: 'confirm' }
const cancel: Action = { do: 'cancel' }

/** A free piece of the side to move with several places to go, that may also turn in place. */
const free = MIDDLE.pieces.find((piece) => {
  const source = { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space } as const
  return piece.colour === 'w' && piece.free && MID.legal.targets(source).has(piece.space)
})
if (!free) throw new Error('the position has no piece that may turn in place')
const sourceOf = { from: 'board', kind: free.kind, piece: free.id, space: free.space } as const
const targets = [...MID.legal.targets(sourceOf)].filter(([space]) => space !== free.space)
const many = targets.find(([, headings]) => headings.length > 1)
if (!many) throw new Error('the piece has no space with several headings')

describe('a piece from the set', () => {
  const now = situation(START)

  it('is chosen, placed, turned and confirmed in three steps', () => {
    expect(stepOf(IDLE)).toBe('choose')
    expect(stepOf(after(now, take).entry)).toBe('place')
    expect(stepOf(after(now, take, tap('d5')).entry)).toBe('turn')
    const played = after(now, take, tap('d5'), rotate, confirm)
    expect(played.play).toBe('Ed5ne')
    expect(stepOf(played.entry)).toBe('sent')
  })

  it('is put back by taking it again, and by cancel', () => {
    expect(after(now, take, take).entry.source).toBeNull()
    expect(after(now, take, tap('d5'), cancel).entry.source).toBeNull()
  })

  it('is refused from the other set, and while somebody else is to move', () => {
    expect(after(now, { do: 'take', kind: 'E', colour: 'b' }).notice?.code).toBe('opponents_set')
    expect(after({ ...now, player: null }, take).notice?.code).toBe('not_your_turn')
  })

  it('is refused when none is left, or when there is no room', () => {
    const none: PositionView = { ...START, sets: { ...START.sets, w: { ...START.sets.w, E: 0 } } }
    const closed = { ...START.legal, adds: {} }
    expect(after(situation({ ...none, legal: closed }), take).notice?.code).toBe('none_left')
    expect(after(situation({ ...START, legal: closed }), take).notice?.code).toBe('no_room')
  })

  it('asks the server why when a space is not allowed', () => {
    const asked = after(now, take, tap('i9'))
    expect(asked.explain).toBe('Ei9')
    expect(asked.entry.source).not.toBeNull()
    expect(asked.entry.target).toBeNull()
  })
})

describe('a piece on the board', () => {
  it('is chosen by any of its dots', () => {
    for (const space of free.spaces) {
      expect(after(MID, tap(space)).entry.source).toEqual(sourceOf)
    }
    expect(originOf(after(MID, tap(free.space)).entry, MID)).toEqual(free.spaces)
  })

  it('goes back by Esc and by a tap on where it came from', () => {
    expect(after(MID, tap(free.space), cancel).entry.source).toBeNull()
    expect(after(MID, tap(free.space), tap(free.space)).entry.source).toBeNull()
    expect(after(MID, tap(free.space), tap(many[0]), tap(free.space)).entry.source).toBeNull()
  })

  it('turns in place with R', () => {
    const turned = after(MID, tap(free.space), rotate)
    const ghost = ghostOf(turned.entry, MID)
    expect(ghost).toMatchObject({ space: free.space, isFixed: true })
    expect(ghost?.heading).not.toBe(free.heading)
    expect(enter(turned.entry, confirm, MID).play).toBe(`${free.space}-${free.space}${ghost?.heading}`)
  })

  it('is pinned while something lies on it', () => {
    const pinned = MIDDLE.pieces.find((piece) => piece.colour === 'w' && !piece.free)
    const covered = new Set(pinned?.blocked_by.map((blocker) => blocker.space))
    const showing = pinned?.spaces.find((space) => !covered.has(space))
    const answer = after(MID, tap(showing ?? ''))
    expect(answer.notice).toMatchObject({
      code: 'pinned',
      blockers: pinned?.blocked_by.map((blocker) => blocker.piece),
    })
  })

  it("is not touched when it is the opponent's", () => {
    const theirs = MIDDLE.pieces.find((piece) => piece.colour === 'b' && piece.free)
    expect(after(MID, tap(theirs?.space ?? '')).notice?.code).toBe('opponents_piece')
  })

  it('shows no ghost over its own PÜNCT, where a tap puts it back', () => {
    const chosen = after(MID, tap(free.space)).entry
    expect(MID.legal.targets(sourceOf).has(free.space)).toBe(true)
    expect(ghostOf(enter(chosen, hover(free.space), MID).entry, MID)).toBeNull()
    expect(after(MID, tap(free.space), hover(free.space), tap(free.space)).entry.source).toBeNull()
  })

  it('previews what a tap does, on every space of the board', () => {
    for (const { name } of MID.shape.spaces) {
      const over = after(MID, tap(free.space), hover(name)).entry
      const seen = ghostOf(over, MID)
      const done = enter(over, tap(name), MID).entry
      expect([name, done.target]).toEqual([name, seen?.space ?? null])
      if (seen) expect(ghostOf(done, MID)).toEqual({ ...seen, isFixed: true })
    }
  })

  it('lands on its own minor dots where it may, a ghost elsewhere or not', () => {
    const movable = MIDDLE.pieces.filter((piece) => piece.colour === 'w' && MID.legal.canMove(piece.space))
    const dots = movable.flatMap((piece) =>
      piece.spaces.slice(1).map((dot) => ({
        dot,
        piece,
        may: MID.legal.targets({ from: 'board', kind: piece.kind, piece: piece.id, space: piece.space }),
      })),
    )
    expect(dots.filter(({ dot, may }) => may.has(dot)).length).toBeGreaterThan(0)
    for (const { dot, piece, may } of dots) {
      const elsewhere = [...may.keys()].find((space) => !piece.spaces.includes(space))
      for (const before of elsewhere ? [[], [tap(elsewhere)]] : [[]]) {
        const { entry } = after(MID, tap(piece.space), ...before, tap(dot))
        if (may.has(dot)) expect(entry.target).toBe(dot)
        else expect(entry.source).toBeNull()
      }
    }
  })

  it('gives way to another own piece that it may not land on, and says so', () => {
    const others = MIDDLE.pieces.filter((piece) => piece.colour === 'w' && piece.free && piece.id !== free.id)
    const other = others.find((piece) => !MID.legal.targets(sourceOf).has(piece.space))
    for (const before of [[], [tap(many[0])]]) {
      const chosen = after(MID, tap(free.space), ...before, tap(other?.space ?? ''))
      expect(chosen.entry).toMatchObject({ source: { piece: other?.id }, target: null })
      expect(chosen.notice).toEqual({ code: 'chosen_instead', kind: other?.kind, space: other?.space })
    }
  })

  it('lands on another own piece where it may', () => {
    const own = new Map(MIDDLE.pieces.filter(({ colour }) => colour === 'w').map((piece) => [piece.id, piece]))
    const landings = [...own.values()].flatMap((piece) => {
      const source = { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space } as const
      const onto = [...MID.legal.targets(source).keys()].filter((space) => {
        const top = MID.stacks.get(space)?.at(-1)
        return top && top.id !== piece.id && own.has(top.id) && MID.legal.canMove(top.space)
      })
      return onto.map((space) => ({ piece, space }))
    })
    expect(landings.length).toBeGreaterThan(0)
    for (const { piece, space } of landings) {
      const landed = after(MID, tap(piece.space), tap(space))
      expect(landed.entry).toMatchObject({ source: { piece: piece.id }, target: space })
      expect(landed.notice).toBeUndefined()
    }
  })
})

describe('headings', () => {
  it('go round the allowed ones only, both ways', () => {
    let entry: Entry = after(MID, tap(free.space), tap(many[0])).entry
    const seen = many[1].map(() => {
      entry = enter(entry, rotate, MID).entry
      return ghostOf(entry, MID)?.heading
    })
    expect([...seen].sort()).toEqual([...many[1]].sort())
    const once = enter(entry, rotate, MID).entry
    expect(enter(once, back, MID).entry.heading).toBe(entry.heading)
  })

  it('turn on with a tap on the ghost', () => {
    const aimed = after(MID, tap(free.space), tap(many[0])).entry
    const turned = enter(aimed, tap(many[0]), MID).entry
    expect(turned.heading).not.toBe(aimed.heading)
    expect(turned.target).toBe(many[0])
  })

  it('are taken directly, but never one that is not allowed', () => {
    const aimed = after(MID, tap(free.space), tap(many[0])).entry
    const last = many[1].at(-1) ?? 'n'
    expect(enter(aimed, { do: 'head', heading: last }, MID).entry.heading).toBe(last)
    const now = situation(START)
    const corner = after(now, take, tap('a2')).entry
    expect(enter(corner, { do: 'head', heading: 'sw' }, now).entry).toBe(corner)
  })

  it('follow the pointer from space to space', () => {
    const now = situation(START)
    const entry = after(now, take, hover('d5'), rotate).entry
    expect(entry.target).toBeNull()
    expect(ghostOf(entry, now)).toMatchObject({ space: 'd5', heading: 'ne', isFixed: false })
    expect(ghostOf(enter(entry, hover('e4'), now).entry, now)).toMatchObject({ space: 'e4', heading: 'ne' })
  })

  it('are taken at once when there is only one', () => {
    const [space, headings] = targets.find(([, allowed]) => allowed.length === 1) ?? ['', []]
    expect(ghostOf(after(MID, tap(free.space), tap(space)).entry, MID)).toMatchObject({
      heading: headings[0],
      isFixed: true,
    })
  })
})

describe('one tap', () => {
  const swift = situation(START, { mustConfirm: false })

  it('plays the ghost that stood under the pointer', () => {
    expect(after(swift, take, hover('d5'), rotate, tap('d5')).play).toBe('Ed5ne')
  })

  it('never plays a space a finger was only near, tapped or dropped', () => {
    const near = after(swift, take, hover('d5'), { do: 'tap', space: 'd5', snapped: true })
    expect(near.play).toBeUndefined()
    expect(ghostOf(near.entry, swift)).toMatchObject({ space: 'd5', isFixed: true })
    const again = enter(near.entry, { do: 'tap', space: 'd5', snapped: true }, swift)
    expect(again).toEqual({ entry: near.entry })
    expect(enter(near.entry, tap('d5'), swift).play).toBe('Ed5n')
    const dropped = after(swift, take, hover('d5'), { do: 'drop', space: 'd5', snapped: true })
    expect(dropped.play).toBeUndefined()
    expect(dropped.entry.target).toBe('d5')
    const lone = targets.find(([, headings]) => headings.length === 1)?.[0] ?? ''
    const quick = { ...MID, mustConfirm: false }
    expect(after(quick, tap(free.space), tap(lone)).play).toBeDefined()
    expect(after(quick, tap(free.space), { do: 'tap', space: lone, snapped: true }).play).toBeUndefined()
  })

  it('waits for a heading where no ghost was seen and several are allowed', () => {
    const aimed = after(swift, take, tap('d5'))
    expect(aimed.play).toBeUndefined()
    expect(enter(aimed.entry, { do: 'head', heading: 'se' }, swift).play).toBe('Ed5se')
    const near = enter(aimed.entry, { do: 'head', heading: 'se', snapped: true }, swift)
    expect(near.play).toBeUndefined()
    expect(near.entry.heading).toBe('se')
    expect(enter(aimed.entry, tap('d5'), swift).play).toBe('Ed5n')
  })
})

describe('dragging', () => {
  const now = situation(START)

  it('drops a ghost, and puts back what is dropped off the board', () => {
    expect(after(now, take, hover('d5'), { do: 'drop', space: 'd5' }).entry.target).toBe('d5')
    expect(after(now, take, { do: 'drop', space: null }).entry.source).toBeNull()
  })

  it('picks a ghost up again, heading and all', () => {
    const lifted = after(now, take, tap('d5'), rotate, { do: 'lift' }, hover('e4')).entry
    expect(ghostOf(lifted, now)).toMatchObject({ space: 'e4', heading: 'ne', isFixed: false })
  })

  it('asks why when dropped where it may not lie', () => {
    expect(after(now, take, { do: 'drop', space: 'i9' }).explain).toBe('Ei9')
  })

  it('puts a piece back when dropped where it was', () => {
    expect(after(MID, tap(free.space), { do: 'drop', space: free.space }).entry.source).toBeNull()
  })
})

describe('news from the server', () => {
  const aimed = after(MID, tap(free.space), tap(many[0])).entry

  it('leaves a turn that is still possible as it is', () => {
    expect(enter(aimed, { do: 'sync' }, situation({ ...MIDDLE })).entry).toEqual(aimed)
  })

  it('takes back a target that is no longer allowed, and a piece that is gone', () => {
    const lost = { ...MIDDLE, legal: { ...MIDDLE.legal, moves: { ...MIDDLE.legal.moves, [free.space]: { n: '' } } } }
    expect(enter(aimed, { do: 'sync' }, situation(lost)).entry.source).toBeNull()
    const gone = { ...MIDDLE, pieces: MIDDLE.pieces.filter((piece) => piece.id !== free.id) }
    expect(enter(aimed, { do: 'sync' }, situation(gone)).entry.source).toBeNull()
  })

  it('ends the entry when it is no longer our turn', () => {
    expect(enter(aimed, { do: 'sync' }, situation(MIDDLE, { player: null })).entry.source).toBeNull()
  })

  it('ends the entry when the other player at this screen is to move', () => {
    const now = situation(START)
    const sent = after(now, take, tap('d5'), confirm).entry
    const next = situation({ ...START, turn: 'b' })
    expect(enter(sent, { do: 'sync' }, next).entry).toMatchObject({ source: null, pendingMove: null })
  })

  it('lets nothing be entered while a turn is on its way, and everything after a refusal', () => {
    const sent = enter(aimed, confirm, MID).entry
    expect(enter(sent, cancel, MID).entry).toBe(sent)
    expect(enter(sent, { do: 'answered' }, MID).entry).toMatchObject({ pendingMove: null, target: many[0] })
  })
})

describe('a hint', () => {
  it('is laid down as a ghost, and only if it is legal', () => {
    const now = situation(START)
    const hint = { do: 'suggest', source: { from: 'set', kind: 'T' }, space: 'd5', heading: 's' } as const
    expect(ghostOf(after(now, hint).entry, now)).toMatchObject({ kind: 'T', space: 'd5', heading: 's', isFixed: true })
    expect(after(now, { ...hint, space: 'i9' }).entry).toBe(IDLE)
  })
})
