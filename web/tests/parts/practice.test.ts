/** A board to try turns on: what it plays, refuses and remembers, with the server's answers put in its mouth. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { momentWords } from '../../src/board/view/words'
import { ApiError, api } from '../../src/net/client'
import type { Explanation, PositionView } from '../../src/net/model'
import type { Kernel } from '../../src/kernel/kernel'
import { loadKernel } from '../../src/parts/later'
import { Practice } from '../../src/parts/practice.svelte'
import { later } from '../answers'
import { MIDDLE, SHAPE, START } from '../positions'

vi.mock('../../src/parts/later')

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

function practice(view: PositionView = START, most?: number): Practice {
  return new Practice(SHAPE, view, () => ({ confirm: true }), most)
}

/** Take a triangular piece and lay it down at d5. */
function lay(on: Practice): void {
  on.turn.act({ do: 'take', kind: 'T', colour: 'w' })
  on.turn.act({ do: 'tap', space: 'd5' })
  on.turn.act({ do: 'confirm' })
}

const after = { ...MIDDLE, turn: 'b' as const }

describe('a board to try turns on', () => {
  beforeEach(() => {
    vi.spyOn(api, 'view').mockResolvedValue(after)
  })

  it('shows the position after a turn, and may be set up again', async () => {
    const board = practice()
    lay(board)
    await settle()
    expect(api.view).toHaveBeenCalledWith(START.text, ['Td5n'])
    expect(board.view).toBe(after)
    expect(board.turns).toEqual(['Td5n'])
    expect(board.player).toBe('b')
    board.reset()
    expect(board.view).toBe(START)
    expect(board.turns).toEqual([])
    expect(board.player).toBe('w')
  })

  it('forgets a turn that is judged when the board was set up again', async () => {
    const judged = later<PositionView>()
    vi.spyOn(api, 'view').mockReturnValueOnce(judged.promise)
    const board = practice()
    lay(board)
    board.reset()
    expect(board.turn.step).toBe('choose')
    judged.answer(after)
    await settle()
    expect([board.view, board.turns, board.word]).toEqual([START, [], null])
  })

  it('does not say why something is not allowed to whoever does something else', async () => {
    const told = later<Explanation>()
    vi.spyOn(api, 'explainTapAt').mockReturnValueOnce(told.promise)
    const board = practice()
    board.turn.act({ do: 'take', kind: 'T', colour: 'w' })
    board.turn.act({ do: 'tap', space: 'i9' })
    board.turn.act({ do: 'tap', space: 'd5' })
    const no = { legal: false, turn: null, reason: 'ADDED_IN_CENTRE', section: 'G', sentence: '', spaces: ['i9'] }
    told.answer({ ...no, headings: [] })
    await settle()
    expect([board.word, board.refusal]).toEqual([null, null])
    expect(board.turn.ghost?.space).toBe('d5')
  })

  it('waits after as many turns as it was given', async () => {
    const board = practice(START, 1)
    lay(board)
    await settle()
    expect(board.player).toBeNull()
    board.turn.act({ do: 'take', kind: 'T', colour: 'w' })
    expect(board.turn.step).toBe('choose')
    expect(board.refusal).toBeNull()
  })

  it('takes a turn back', async () => {
    const board = practice()
    lay(board)
    await settle()
    await board.back()
    expect(board.view).toBe(START)
    expect(board.turns).toEqual([])
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
    const board = practice()
    board.turn.act({ do: 'take', kind: 'T', colour: 'w' })
    board.turn.act({ do: 'tap', space: 'i9' })
    await settle()
    expect(api.explainTapAt).toHaveBeenCalledWith(START.text, [], 'Ti9')
    expect(board.refusal).toBe('illegal')
    expect(board.word?.tone).toBe('refusal')
    expect(board.word?.text).toContain('central hexagon')
    expect(board.word?.pointed).toEqual(['i9'])
    expect(board.turns).toEqual([])
  })

  it('points at what lies on a blocked piece', () => {
    const board = practice(MIDDLE)
    const blocked = MIDDLE.pieces.find((piece) => piece.colour === 'w' && !piece.free)
    const tops = new Set(blocked?.blocked_by.map((blocker) => blocker.space))
    board.turn.act({ do: 'tap', space: blocked?.spaces.find((space) => !tops.has(space)) ?? '' })
    expect(board.refusal).toBe('pinned')
    expect(board.word?.pointed).toEqual(blocked?.blocked_by.map((blocker) => blocker.piece))
  })

  it('tells those who do not see it every step, and what is refused', async () => {
    const board = practice()
    const lines = (): string[] => board.voice.lines.map(({ text }) => text)
    board.turn.act({ do: 'take', kind: 'T', colour: 'b' })
    expect(lines()).toEqual(['Those pieces are your opponent’s.'])
    board.turn.act({ do: 'take', kind: 'T', colour: 'w' })
    board.turn.act({ do: 'tap', space: 'd5' })
    board.turn.act({ do: 'rotate', steps: 1 })
    board.turn.act({ do: 'confirm' })
    await settle()
    const piece = 'triangular piece'
    const steps = [`Taken: ${piece}`, `${piece}, d5, north`, `${piece}, d5, north-east`, momentWords(after)]
    expect(lines().slice(1)).toEqual(steps)
    await board.back()
    expect(lines().at(-1)).toBe('Taken back.')
  })

  it('asks the kernel when the server is away', async () => {
    vi.spyOn(api, 'view').mockRejectedValue(new ApiError(0, 'offline', 'away'))
    const view = vi.fn(async () => ({ ...START, ply: 1 }))
    vi.mocked(loadKernel).mockResolvedValue({ view } as unknown as Kernel)
    const board = practice()
    lay(board)
    await settle()
    expect(view).toHaveBeenCalledWith(START.text, ['Td5n'])
    expect(board.view.ply).toBe(1)
  })

  it('keeps everything as it was when nobody can be asked', async () => {
    vi.spyOn(api, 'view').mockRejectedValue(new ApiError(0, 'offline', 'away'))
    vi.mocked(loadKernel).mockRejectedValue(new ApiError(0, 'offline', 'not here'))
    const board = practice()
    lay(board)
    await settle()
    expect(board.view).toBe(START)
    expect(board.turns).toEqual([])
    expect(board.word).toMatchObject({ text: 'No connection to the server.', tone: 'refusal' })
    expect(board.turn.step).not.toBe('sent')
  })
})
