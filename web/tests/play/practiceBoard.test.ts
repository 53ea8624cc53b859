/** Practice boards: what they play, refuse and undo, with the server's answers given by the tests. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { api, ApiError } from '../../src/api/client'
import type { Explanation, PositionView } from '../../src/api/model'
import { positionWords } from '../../src/board/view/words'
import type { Kernel } from '../../src/kernel/kernel'
import { loadKernel } from '../../src/kernel/lazy'
import { PracticeBoard } from '../../src/play/practiceBoard.svelte'
import { deferred } from '../support/deferred'
import { MIDDLE, SHAPE, START } from '../support/positions'

vi.mock('../../src/kernel/lazy')

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

function begin(view: PositionView = START, maxMoves?: number): PracticeBoard {
  return new PracticeBoard({ shape: SHAPE, view, options: () => ({ confirm: true }) }, maxMoves)
}

/** Take a triangular piece and lay it down at d5. */
function lay(on: PracticeBoard): void {
  on.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
  on.board.moveEntry.act({ do: 'tap', space: 'd5' })
  on.board.moveEntry.act({ do: 'confirm' })
}

const after = { ...MIDDLE, turn: 'b' as const }

describe('a practice board', () => {
  beforeEach(() => {
    vi.spyOn(api, 'view').mockResolvedValue(after)
  })

  it('shows the position after a turn, and may be set up again', async () => {
    const practice = begin()
    lay(practice)
    await settle()
    expect(api.view).toHaveBeenCalledWith(START.text, ['Td5n'])
    expect(practice.board.view).toBe(after)
    expect(practice.moves).toEqual(['Td5n'])
    expect(practice.board.player).toBe('b')
    practice.reset()
    expect(practice.board.view).toBe(START)
    expect(practice.moves).toEqual([])
    expect(practice.board.player).toBe('w')
  })

  it('forgets a turn that is judged when the board was set up again', async () => {
    const judged = deferred<PositionView>()
    vi.spyOn(api, 'view').mockReturnValueOnce(judged.promise)
    const practice = begin()
    lay(practice)
    practice.reset()
    expect(practice.board.moveEntry.step).toBe('choose')
    judged.answer(after)
    await settle()
    expect([practice.board.view, practice.moves, practice.board.message]).toEqual([START, [], null])
  })

  it('does not say why something is not allowed to whoever does something else', async () => {
    const told = deferred<Explanation>()
    vi.spyOn(api, 'explainTapAt').mockReturnValueOnce(told.promise)
    const practice = begin()
    practice.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    practice.board.moveEntry.act({ do: 'tap', space: 'i9' })
    practice.board.moveEntry.act({ do: 'tap', space: 'd5' })
    const no = { legal: false, turn: null, reason: 'ADDED_IN_CENTRE', section: 'G', sentence: '', spaces: ['i9'] }
    told.answer({ ...no, headings: [] })
    await settle()
    expect([practice.board.message, practice.board.refusal]).toEqual([null, null])
    expect(practice.board.moveEntry.ghost?.space).toBe('d5')
  })

  it('waits after as many turns as it was given', async () => {
    const practice = begin(START, 1)
    lay(practice)
    await settle()
    expect(practice.board.player).toBeNull()
    practice.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    expect(practice.board.moveEntry.step).toBe('choose')
    expect(practice.board.refusal).toBeNull()
  })

  it('takes a turn back', async () => {
    const practice = begin()
    lay(practice)
    await settle()
    await practice.undo()
    expect(practice.board.view).toBe(START)
    expect(practice.moves).toEqual([])
  })

  it('takes two turns back where undo is pressed twice, however late the position comes', async () => {
    const practice = begin()
    practice.moves = ['Td5n', 'Tl10n', 'Tc3n']
    const [first, second] = [deferred<PositionView>(), deferred<PositionView>()]
    vi.spyOn(api, 'view').mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise)
    void practice.undo()
    void practice.undo()
    expect(api.view).toHaveBeenLastCalledWith(START.text, ['Td5n'])
    first.answer({ ...MIDDLE, ply: 2 })
    second.answer(after)
    await settle()
    expect([practice.moves, practice.board.view]).toEqual([['Td5n'], after])
    await practice.undo()
    expect(practice.moves).toEqual([])
  })

  it('asks the server why a turn is refused, and says it', async () => {
    const reason = 'ADDED_IN_CENTRE'
    vi.spyOn(api, 'explainTapAt').mockResolvedValue({
      legal: false,
      turn: null,
      reason,
      section: 'G',
      sentence: 'in English',
      spaces: ['i9'],
      headings: [{ heading: 'n', reason }],
    })
    const practice = begin()
    practice.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    practice.board.moveEntry.act({ do: 'tap', space: 'i9' })
    await settle()
    expect(api.explainTapAt).toHaveBeenCalledWith(START.text, [], 'Ti9')
    expect(practice.board.refusal).toBe('illegal')
    expect(practice.board.message?.tone).toBe('refusal')
    expect(practice.board.message?.text).toContain('central hexagon')
    expect(practice.board.message?.highlights).toEqual(['i9'])
    expect(practice.moves).toEqual([])
  })

  it('points at what lies on a blocked piece', () => {
    const practice = begin(MIDDLE)
    const blocked = MIDDLE.pieces.find((piece) => piece.colour === 'w' && !piece.free)
    const tops = new Set(blocked?.blocked_by.map((blocker) => blocker.space))
    practice.board.moveEntry.act({ do: 'tap', space: blocked?.spaces.find((space) => !tops.has(space)) ?? '' })
    expect(practice.board.refusal).toBe('pinned')
    expect(practice.board.message?.highlights).toEqual(blocked?.blocked_by.map((blocker) => blocker.piece))
  })

  it('tells those who do not see it every step, and what is refused', async () => {
    const practice = begin()
    const lines = (): string[] => practice.board.announcer.lines.map(({ text }) => text)
    practice.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'b' })
    expect(lines()).toEqual(['Those pieces are your opponent’s.'])
    practice.board.moveEntry.act({ do: 'take', kind: 'T', colour: 'w' })
    practice.board.moveEntry.act({ do: 'tap', space: 'd5' })
    practice.board.moveEntry.act({ do: 'rotate', steps: 1 })
    practice.board.moveEntry.act({ do: 'confirm' })
    await settle()
    const piece = 'triangular piece'
    const steps = [`Taken: ${piece}`, `${piece}, d5, north`, `${piece}, d5, north-east`, positionWords(after)]
    expect(lines().slice(1)).toEqual(steps)
    await practice.undo()
    expect(lines().at(-1)).toBe('Taken back.')
  })

  it('asks the kernel when the server is away', async () => {
    vi.spyOn(api, 'view').mockRejectedValue(new ApiError(0, 'offline', 'away'))
    const view = vi.fn(async () => ({ ...START, ply: 1 }))
    vi.mocked(loadKernel).mockResolvedValue({ view } as unknown as Kernel)
    const practice = begin()
    lay(practice)
    await settle()
    expect(view).toHaveBeenCalledWith(START.text, ['Td5n'])
    expect(practice.board.view.ply).toBe(1)
  })

  it('keeps everything as it was when nobody can be asked', async () => {
    vi.spyOn(api, 'view').mockRejectedValue(new ApiError(0, 'offline', 'away'))
    vi.mocked(loadKernel).mockRejectedValue(new ApiError(0, 'offline', 'not here'))
    const practice = begin()
    lay(practice)
    await settle()
    expect(practice.board.view).toBe(START)
    expect(practice.moves).toEqual([])
    expect(practice.board.message).toMatchObject({ text: 'No connection to the server.', tone: 'refusal' })
    expect(practice.board.moveEntry.step).not.toBe('sent')
  })
})
