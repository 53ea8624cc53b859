/** When the coach speaks, and when it had better not. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { startTimeout } from '../../src/coach/advisor'
import { Advisor, BLUNDER_GIVEN_AWAY, concernOf, MAX_WIN_MOVES } from '../../src/coach/advisor'
import type { Evaluation } from '../../src/coach/judgements'
import type { InspectedPosition, MoveAnalysis } from '../../src/coach/moveAnalysis'
import { openChapter } from '../../src/i18n/index.svelte'
import type { Kernel, Prospects } from '../../src/kernel/kernel'
import { SHAPE, START } from '../support/positions'
import { kernel } from '../support/realKernel'
import { OPENS, QUIET, THREATENED, WINNING } from './positions'

beforeAll(() => openChapter('coach'))

const NOTHING: Prospects = { distances: [9, 9, 9], centre: 0, left: 12, free: 6, wins: 0, last_piece_wins: false }

function sight(theirs: Partial<Prospects> = {}, mine: Partial<Prospects> = {}): InspectedPosition {
  return { view: START, insight: { w: { ...NOTHING, ...mine }, b: { ...NOTHING, ...theirs } } }
}

const prospect = (chance: number, proven = 0, ...best: string[]): Evaluation => ({ chance, proven, best })

/** A turn of White's, after which Black has so much; the best was better by far. */
function about(changes: Partial<MoveAnalysis>): MoveAnalysis {
  return {
    colour: 'w',
    move: 'Td5n',
    before: sight(),
    after: sight(),
    evaluationBefore: prospect(0.7, 0, 'Ed5n'),
    evaluationAfter: prospect(0.5, 0, 'Tl9n'),
    reply: null,
    better: { move: 'Ed5n', position: sight(), evaluation: prospect(0.3) },
    ...changes,
  }
}

const asks = (changes: Partial<MoveAnalysis>): string | undefined => concernOf(about(changes))?.fact

describe('a turn that gives away', () => {
  it('a blunder’s worth is asked about, and less is not', () => {
    expect(asks({ evaluationAfter: prospect(0.3 + BLUNDER_GIVEN_AWAY + 0.001, 0, 'Tl9n') })).toBe('falls')
    expect(asks({ evaluationAfter: prospect(0.3 + BLUNDER_GIVEN_AWAY - 0.001, 0, 'Tl9n') })).toBeUndefined()
  })

  it('what was never there is not asked about: the best turn, looked at as long, does no better', () => {
    const left = prospect(0.9, 0, 'Tl9n')
    expect(asks({ evaluationAfter: left })).toBe('falls')
    expect(
      asks({ evaluationAfter: left, better: { move: 'Ed5n', position: sight(), evaluation: prospect(0.65) } }),
    ).toBeUndefined()
  })

  it('a win of the opponent’s is asked about if it can be shown to its end', () => {
    const won = (turns: number): Evaluation => prospect(1, 2 * turns - 1, 'Tl9n')
    expect(asks({ evaluationAfter: won(2) })).toBe('forced')
    expect(asks({ evaluationAfter: won(MAX_WIN_MOVES) })).toBe('forced')
    expect(asks({ evaluationAfter: won(MAX_WIN_MOVES + 1) })).toBeUndefined()
  })

  it('a win of one’s own is asked about', () => {
    expect(asks({ evaluationBefore: prospect(1, 3, 'Ed5n'), evaluationAfter: prospect(0.5, 0, 'Tl9n') })).toBe(
      'could_force',
    )
    // Still won, by another way.
    expect(asks({ evaluationBefore: prospect(1, 3, 'Ed5n'), evaluationAfter: prospect(0, -4, 'Tl9n') })).toBeUndefined()
  })
})

describe('a turn that loses at once', () => {
  const connects = sight({ wins: 3 })

  it('is asked about, also before anybody has looked', () => {
    expect(asks({ after: connects })).toBe('connects')
    expect(asks({ after: connects, evaluationBefore: prospect(0.5), evaluationAfter: null, better: null })).toBe(
      'connects',
    )
    expect(asks({ after: sight({ last_piece_wins: true }) })).toBe('counts')
  })

  it('is not where the game is lost anyway', () => {
    expect(asks({ after: connects, evaluationBefore: prospect(0, -2, 'Ed5n') })).toBeUndefined()
    const lost = { move: 'Ed5n', position: sight(), evaluation: prospect(1, 3) }
    expect(asks({ after: connects, better: lost })).toBeUndefined()
  })

  it('is not if it is the best there is', () => {
    expect(asks({ after: connects, evaluationBefore: prospect(0.2, 0, 'Td5n'), better: null })).toBeUndefined()
  })

  it('by leaving a win of one’s own is asked about as such', () => {
    expect(asks({ before: sight({}, { wins: 2 }), after: connects })).toBe('could_connect')
    expect(asks({ before: sight({}, { last_piece_wins: true }) })).toBe('could_count')
  })

  it('is none if it wins', () => {
    const view = { ...START, outcome: { winner: 'w' as const, reason: 'connection' as const } }
    expect(asks({ before: sight({}, { wins: 2 }), after: { ...sight(), view } })).toBeUndefined()
  })
})

describe('with the kernel', () => {
  const never = (): ReturnType<typeof startTimeout> => ({
    expired: new Promise(() => undefined),
    stop: () => undefined,
  })
  const atOnce = (): ReturnType<typeof startTimeout> => ({ expired: Promise.resolve(null), stop: () => undefined })
  const advisor = (wait = never, asked = kernel()): Advisor => new Advisor(asked, SHAPE, wait)

  it.each([
    [OPENS, 'g13-e11se', 'connects'],
    [THREATENED, 'Tf2se', 'connects'],
    [WINNING, 'Tf13n', 'could_connect'],
    [QUIET, 'Tf5se', 'forced'],
  ])('%s %s is asked about', async (position, turn, fact) => {
    const advice = await advisor().judge(position, turn)
    expect(advice?.severeFact.fact).toBe(fact)
    expect(advice?.facts[0]).toEqual(advice?.severeFact)
  })

  it.each([
    [OPENS, 'f9-h11se'],
    [THREATENED, 'q14-m14sw'],
    [WINNING, 'Tp15n'],
    [QUIET, 'Lf10ne'],
    ['standard w', 'Ed5ne'],
  ])('%s %s is not', async (position, turn) => {
    expect(await advisor().judge(position, turn)).toBeNull()
  })

  it('what takes too long is played; what is seen at once is asked about all the same', async () => {
    expect(await advisor(atOnce).judge(QUIET, 'Tf5se')).toBeNull()
    expect((await advisor(atOnce).judge(OPENS, 'g13-e11se'))?.severeFact).toMatchObject({ fact: 'connects', new: true })
  })

  it('looks ahead while the player thinks', async () => {
    const asked = kernel()
    const nodes: (number | undefined)[] = []
    const watched: Kernel = {
      ...asked,
      search: (task, options, tell) => {
        nodes.push(options.nodes)
        return asked.search(task, options, tell)
      },
    }
    const looking = advisor(never, watched)
    looking.prepare(QUIET)
    looking.prepare(QUIET)
    await looking.judge(QUIET, 'Lf10ne')
    expect(nodes).toEqual([1500, 1500, 1500])
  })

  it('says nothing without a kernel, or when it is stopped', async () => {
    const broken = { ...kernel(), view: () => Promise.reject(new Error('broken')) }
    expect(await advisor(never, broken).judge(QUIET, 'Tf5se')).toBeNull()
    const asked = kernel()
    const search = vi.spyOn(asked, 'search')
    const stopped = advisor(never, asked)
    const judged = stopped.judge(QUIET, 'Tf5se')
    await vi.waitFor(() => expect(search).toHaveBeenCalled())
    stopped.stop()
    expect(await judged).toBeNull()
  })
})
