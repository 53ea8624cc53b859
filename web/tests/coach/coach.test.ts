/** The coach beside a game: a question, its reasons, its answers, and the moments afterwards. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { PositionView } from '../../src/api/model'
import { Advisor } from '../../src/coach/advisor'
import { Coach } from '../../src/coach/coach.svelte'
import { GameReviewer, positionsOf } from '../../src/coach/gameReviewer.svelte'
import type { ReviewResult } from '../../src/coach/judgements'
import { candidates, KeyMoveFinder, MAX_KEY_MOVES, MIN_GIVEN_AWAY } from '../../src/coach/keyMoves.svelte'
import { factWords, questionWords, factsWords } from '../../src/coach/words'
import { openChapter } from '../../src/i18n/index.svelte'
import { kernelError } from '../../src/kernel/connection'
import type { Kernel } from '../../src/kernel/kernel'
import { Announcer } from '../../src/ui/announcer.svelte'
import { settled } from '../support/deferred'
import { SHAPE } from '../support/positions'
import { kernel } from '../support/realKernel'
import { GAME, LEADING, OPENS, QUIET, WINNING } from './positions'

const asked = kernel()
const at = (text: string): Promise<PositionView> => asked.view(text, [])
const never = { expired: new Promise<null>(() => undefined), stop: () => undefined }
const until = async (holds: () => unknown): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A kernel that thinks of positions what it is told: the best turn, and its winning chance. */
function thinking(opinions: Readonly<Record<string, readonly [turn: string, chance: number]>>): Kernel {
  const search: Kernel['search'] = ({ start }) => {
    const [move, score] = opinions[start] ?? expect.fail(`nothing is thought of ${start}`)
    const variations = [{ move, score, proven: 0, visits: 1, pv: [move] }]
    return { result: Promise.resolve({ nodes: 1, depth: 1, seconds: 0, variations }), stop: () => undefined }
  }
  return { ...kernel(), search }
}

function coach(asks = kernel()): Coach {
  return new Coach(
    { questions: asks, variations: kernel() },
    SHAPE,
    new Announcer(),
    new Advisor(asks, SHAPE, () => never),
  )
}

beforeAll(() => openChapter('coach'))

describe('a question', () => {
  it('is asked, explained and taken back', async () => {
    const looks = coach()
    const allowed = looks.confirmMove(await at(OPENS), 'g13-e11se')
    expect(looks.isBusy).toBe(true)
    await until(() => looks.question)
    expect(looks.isBusy).toBe(false)
    expect(looks.question?.words).toBe('After this Black can connect.')
    expect([looks.shownPosition, looks.threat, looks.nextMoves]).toEqual([null, null, []])

    await looks.explain()
    expect(looks.reasons).toBe(
      'Black can connect in 23 ways, for example with Th14n. Before this move that was not possible. ' +
        'The chain runs through g14, which this move uncovers. Better is f9-h11se: then that is not possible.',
    )
    expect(looks.announcer.lines.at(-1)?.text).toBe(looks.reasons)
    expect(looks.shownPosition?.last?.text).toBe('g13-e11se')
    expect(looks.threat).toMatchObject({ isOwn: false, colour: 'b' })
    expect(looks.nextMoves).toMatchObject([{ space: 'h14', threat: true }])
    looks.stepBy(1)
    expect(looks.shownPosition?.outcome?.winner).toBe('b')
    expect(looks.threat).toBeNull()
    looks.stepBy(1)
    looks.stepBy(-1)
    looks.stepBy(-1)
    expect(looks.step).toBe(0)

    looks.question?.answer(false)
    expect(await allowed).toBe(false)
    expect([looks.question, looks.shownPosition]).toEqual([null, null])
  })

  it('is answered by playing, once', async () => {
    const looks = coach()
    const allowed = looks.confirmMove(await at(OPENS), 'g13-e11se')
    await until(() => looks.question)
    const question = looks.question
    question?.answer(true)
    question?.answer(false)
    expect(await allowed).toBe(true)
  })

  it('is shown to the end where a win is forced, the longest defence included', async () => {
    const looks = coach()
    void looks.confirmMove(await at(QUIET), 'Tf5se')
    await until(() => looks.question)
    expect(looks.question?.words).toBe('After this Black can force a win in 2 moves.')
    await looks.explain()
    expect(looks.reasons).toMatch(
      /^After k12-m14sw Black threatens to connect in \d+ ways, and no reply stops them all\./,
    )
    expect(looks.variation).toHaveLength(4)
    expect(looks.variation.at(-1)?.outcome).toEqual({ winner: 'b', reason: 'connection' })
  })

  it('about a missed win shows that win', async () => {
    const looks = coach()
    void looks.confirmMove(await at(WINNING), 'Tf13n')
    await until(() => looks.question)
    expect(looks.question?.words).toBe('You could connect now.')
    await looks.explain()
    expect(looks.shownPosition?.last).toBeNull()
    expect(looks.threat).toMatchObject({ isOwn: true, colour: 'w' })
    expect(looks.nextMoves).toMatchObject([{ threat: false }])
    expect(looks.variation.at(-1)?.outcome?.winner).toBe('w')
  })

  it('about chances shows what the opponent would do, not what one might do oneself', async () => {
    const [before, after, better] = await Promise.all(
      [[], ['Ec9n'], ['Ef10n']].map(async (turns) => (await asked.view(LEADING, turns)).text),
    )
    const opinions = { [String(before)]: ['Ef10n', 0.6], [String(after)]: ['j13-j8n', 0.75] } as const
    const looks = coach(thinking({ ...opinions, [String(better)]: ['j13-j8n', 0.4] }))
    void looks.confirmMove(await at(LEADING), 'Ec9n')
    await until(() => looks.question)
    expect(looks.question?.words).toBe('This gives much away: your winning chances would fall from 60% to 25%.')
    await looks.explain()
    expect(looks.reasons).toMatch(/^Black answers j13-j8n and takes the lead in the central hexagon, 3 to 0\./)
    expect(looks.nextMoves).toMatchObject([{ space: 'j8', threat: true }])
    expect(looks.threat?.isOwn ?? false).toBe(false)
  })

  it('is dropped when the game goes on elsewhere, also while the turn is looked at', async () => {
    const looks = coach()
    const [first, second] = [
      looks.confirmMove(await at(OPENS), 'g13-e11se'),
      looks.confirmMove(await at(OPENS), 'f9-h11se'),
    ]
    expect(await first).toBe(false)
    expect(await second).toBe(true)
    const third = looks.confirmMove(await at(OPENS), 'g13-e11se')
    await until(() => looks.question)
    looks.withdraw()
    expect(await third).toBe(false)
    const fourth = looks.confirmMove(await at(OPENS), 'g13-e11se')
    looks.close()
    expect(await fourth).toBe(false)
  })

  it('is not asked about a good turn', async () => {
    const looks = coach()
    const view = await at(OPENS)
    looks.prepare(view)
    expect(await looks.confirmMove(view, 'f9-h11se')).toBe(true)
    expect(looks.isBusy).toBe(false)
  })
})

describe('after a game', () => {
  const NODES = 300
  const colour = 'w'
  const start = 'standard w'
  let review: ReviewResult

  beforeAll(async () => {
    const reviewer = new GameReviewer(kernel(), GAME, await positionsOf(asked, start, GAME), NODES)
    await reviewer.run()
    review = reviewer.review as ReviewResult
  })

  it('the worst turns of the player come into question, the worst first', () => {
    const found = candidates(review, colour)
    expect(found.length).toBeGreaterThan(MAX_KEY_MOVES)
    const given = found.map(({ given_away }) => given_away)
    expect(given).toEqual([...given].sort((one, another) => another - one))
    expect(Math.min(...given)).toBeGreaterThanOrEqual(MIN_GIVEN_AWAY)
    expect(new Set(found.map((turn) => turn.colour))).toEqual(new Set([colour]))
  })

  const looked = async (changes: Partial<KeyMoveFinder['game']> = {}, made = kernel()): Promise<KeyMoveFinder> => {
    const back = new KeyMoveFinder(
      made,
      SHAPE,
      { id: 'game/one', start, turns: GAME, colour, reviews: null, ...changes },
      NODES,
    )
    await until(() => back.keyMoves ?? back.error)
    return back
  }

  it('three moments are found, in the order of the game, and none twice', async () => {
    sessionStorage.clear()
    const { keyMoves: found, progress } = await looked()
    expect(found).toHaveLength(MAX_KEY_MOVES)
    expect(progress).toEqual({ n: GAME.length + 1, all: GAME.length + 1 })
    const plies = found?.map(({ ply }) => ply) ?? []
    expect(plies).toEqual([...plies].sort((one, another) => one - another))
    expect(new Set(found?.map(({ better }) => better)).size).toBe(MAX_KEY_MOVES)
    for (const { ply, turn, better, facts } of found ?? []) {
      expect(turn).toBe(GAME[ply])
      expect(better).not.toBe(turn)
      expect(factsWords(facts)).toMatch(/\.$/)
    }
  })

  it('a review that is kept is used, and one that is not is kept', async () => {
    const kept: unknown[] = []
    const reviews = { load: () => Promise.resolve(null), save: async (...told: unknown[]) => void kept.push(told) }
    sessionStorage.clear()
    await looked({ reviews })
    expect(kept).toMatchObject([[NODES, { turns: { length: GAME.length } }]])
    const before = await looked({ reviews: { ...reviews, load: async () => ({ nodes: NODES, ...review }) as never } })
    expect(before.progress.n).toBe(0)
    expect(before.keyMoves).toHaveLength(MAX_KEY_MOVES)
    expect(kept).toHaveLength(1)
  })

  it('nothing is found fault with where there is nothing, and trouble is told', async () => {
    sessionStorage.clear()
    expect((await looked({ turns: ['Ed5ne', 'Tl5s'], id: 'game/two' })).keyMoves).toEqual([])
    const broken = { ...kernel(), view: () => Promise.reject(kernelError('kernel-broke', 'broken')) }
    expect((await looked({ id: 'game/three' }, broken)).error).not.toBe('')
  })

  it('whoever leaves stops it', async () => {
    sessionStorage.clear()
    const searching = kernel()
    const search = vi.spyOn(searching, 'search')
    const back = new KeyMoveFinder(
      searching,
      SHAPE,
      { id: 'game/four', start, turns: GAME, colour, reviews: null },
      100_000,
    )
    await until(() => back.progress.n > 0)
    back.close()
    await Promise.allSettled(search.mock.results.map(({ value }) => (value as ReturnType<Kernel['search']>).result))
    await settled()
    expect(back.keyMoves).toBeNull()
    expect(back.error).toBe('')
  })
})

it('says little rather than something false', () => {
  expect(factsWords([])).toBe('This is how it could go on.')
  expect(questionWords({ fact: 'falls', colour: 'w', from: 62, to: 21 })).toBe(
    'This gives much away: your winning chances would fall from 62% to 21%.',
  )
  expect(factWords({ fact: 'counts', colour: 'b', own: 5, others: 3, new: false })).toBe(
    'Black has one piece left and leads in the central hexagon, 5 to 3: adding it wins. This move does not stop it.',
  )
})
