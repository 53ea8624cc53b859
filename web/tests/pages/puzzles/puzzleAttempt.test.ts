/** Puzzles on the board, judged by the real kernel: positions whose wins and defences are proven (tests/engine). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Shape } from '../../../src/board/model/shape'
import { openChapter, t } from '../../../src/i18n/index.svelte'
import type { Task } from '../../../src/kernel/kernel'
import { type Puzzle, readPuzzles } from '../../../src/pages/puzzles/collection'
import { type AttemptOptions, type Prover, PuzzleAttempt } from '../../../src/pages/puzzles/puzzleAttempt.svelte'
import { kernelJudge } from '../../../src/play/judge'
import { actionsOf, readStep } from '../../../src/play/solutionStep'
import board from '../../fixtures/board.json'
import { kernel } from '../../support/realKernel'
import { turnsOf } from '../lessons/turns'

interface Tactic {
  readonly kind: string
  readonly position: string
  readonly best: readonly string[]
  readonly turns: number
}

const SHAPE = new Shape(board as never)
const TACTICS = readFileSync('../tests/engine/tactics.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Tactic)
const ENOUGH = 3_000_000
const asked = kernel()
const judge = kernelJudge(asked)

const prover: Prover = {
  defend: (task, turns) => asked.defend(task, turns, ENOUGH).result,
  win: (task, turns) => asked.win(task, turns, ENOUGH).result,
  play: async (task) => (await asked.play(task, 1, 0).result).move,
}

/** One that never has the time. */
const blind: Prover = {
  defend: () => Promise.resolve({ isLost: null, reply: null, turns: 0, line: [] }),
  win: () => Promise.resolve({ isWon: null, line: [] }),
  play: prover.play,
}

/** A puzzle made of a position that is won in so many turns; the other turns that win are listed, or are not. */
async function winning({ position, best, turns }: Tactic, listed = true): Promise<Puzzle> {
  const { line: solution } = await prover.win({ start: position, turns: [] }, turns)
  const also = listed ? best.filter((turn) => turn !== solution[0]) : []
  return { id: 'tactic', position, goal: 'win', turns, solution, also, themes: [], rating: 1000 }
}

function holding({ position, best: [first = '', ...also] }: Tactic): Puzzle {
  return { id: 'hold', position, goal: 'hold', turns: 1, solution: [first], also, themes: ['defence'], rating: 1000 }
}

const named = (kind: string): Tactic[] => TACTICS.filter((tactic) => tactic.kind === kind)
const firstOf = (kind: string): Tactic => named(kind)[0] as Tactic

async function begun(
  puzzle: Puzzle,
  options: AttemptOptions = {},
): Promise<{ attempt: PuzzleAttempt; decided: boolean[] }> {
  const decided: boolean[] = []
  const view = await judge.view(puzzle.position, [])
  const attempt = new PuzzleAttempt({ shape: SHAPE, view, options: () => ({ confirm: true }), judge }, puzzle, {
    prover,
    pause: () => Promise.resolve(),
    onDecided: (solved) => decided.push(solved),
    ...options,
  })
  return { attempt, decided }
}

/** Wait until nothing is on its way any more. */
async function settled(attempt: PuzzleAttempt): Promise<void> {
  let before = ''
  for (let still = 0; still < 5; still++) {
    await new Promise((resolve) => setTimeout(resolve))
    const now = `${attempt.task.board.view.text} ${attempt.variation.ply}`
    if (attempt.task.stage === 'answer' || attempt.task.board.moveEntry.step === 'sent' || now !== before) still = -1
    before = now
  }
}

async function tried(attempt: PuzzleAttempt, text: string): Promise<void> {
  for (const action of actionsOf(readStep(text, attempt.task.board.view), attempt.task.board.view))
    attempt.task.board.moveEntry.act(action)
  await settled(attempt)
}

/** A turn after which the side to move does not lose within so many turns. */
async function wrongTurn(puzzle: Puzzle, lost: boolean | null = false): Promise<string> {
  const right = [...puzzle.solution, ...puzzle.also]
  for (const turn of turnsOf(SHAPE, await judge.view(puzzle.position, []))) {
    if (right.includes(turn)) continue
    const task: Task = { start: puzzle.position, turns: [turn] }
    if ((await judge.view(task.start, task.turns)).outcome) continue
    const answer = await prover.defend(task, Math.max(1, puzzle.turns - 1))
    if (answer.isLost === lost) return turn
  }
  throw new Error('every turn wins')
}

beforeAll(() => openChapter('puzzles'))

describe('the stored solution', () => {
  const some = [...named('win-1').slice(0, 3), ...named('bridge').slice(0, 2), ...named('win-2').slice(0, 4)]
  it.each([...some, ...named('win-3').slice(0, 2)].map((tactic) => [tactic.kind, tactic.position, tactic] as const))(
    'solves %s in %s',
    async (_, __, tactic) => {
      const puzzle = await winning(tactic)
      const { attempt, decided } = await begun(puzzle)
      for (let ply = 0; ply < puzzle.solution.length; ply += 2) {
        expect([attempt.task.stage, attempt.task.moves]).toEqual(['try', puzzle.solution.slice(0, ply)])
        await tried(attempt, puzzle.solution[ply] ?? '')
      }
      expect([attempt.task.stage, decided, attempt.task.board.view.outcome?.winner]).toEqual([
        'done',
        [true],
        attempt.task.learner,
      ])
      expect([attempt.task.verdict(), attempt.variation.moves]).toEqual([t('puzzle.done_win'), attempt.task.moves])
    },
  )
})

/** Every so-manieth of those that come with the program: all are proven elsewhere. */
const SHIPPED = await readPuzzles(new Uint8Array(readFileSync('../src/punct/puzzles/shipped.puzzles')))
const SAMPLE = SHIPPED.filter((_, place) => place % 60 === 0).map((puzzle) => [puzzle.id, puzzle] as const)

it.each(SAMPLE)('comes with a puzzle that is solved: %s', async (_, puzzle) => {
  const { attempt, decided } = await begun(puzzle)
  for (let ply = 0; ply < puzzle.solution.length; ply += 2) await tried(attempt, puzzle.solution[ply] ?? '')
  expect([attempt.task.stage, decided, attempt.task.moves]).toEqual(['done', [true], puzzle.solution])
  for (const turn of puzzle.also) {
    const other = await begun(puzzle)
    await tried(other.attempt, turn)
    expect([turn, other.attempt.task.stage]).toEqual([turn, puzzle.turns === 1 ? 'done' : 'try'])
  }
})

it('accepts another turn that wins, and answers it; hints lead to the end', async () => {
  const tactic = named('win-2').find(({ best }) => best.length > 1) as Tactic
  const puzzle = await winning(tactic, false)
  const other = tactic.best.find((turn) => turn !== puzzle.solution[0]) ?? ''
  const { attempt } = await begun(puzzle)
  await tried(attempt, other)
  expect([attempt.task.stage, attempt.task.moves.length]).toEqual(['try', 2])
  for (let step = 0; step < 3; step++) await attempt.giveHint()
  const hint = attempt.task.hints.hint?.move
  if (!hint) throw new Error('there is no hint')
  attempt.task.board.moveEntry.act({ do: 'suggest', ...hint })
  attempt.task.board.moveEntry.act({ do: 'confirm' })
  await settled(attempt)
  expect([attempt.task.stage, attempt.task.board.view.outcome?.winner]).toEqual(['done', attempt.task.learner])
})

it('accepts what is listed even where nothing can be proven in time', async () => {
  const tactic = named('win-2').find(({ best }) => best.length > 1) as Tactic
  const puzzle = await winning(tactic)
  const { attempt, decided } = await begun(puzzle, { prover: blind })
  await tried(attempt, puzzle.also[0] ?? '')
  expect([attempt.task.stage, attempt.task.moves.length, decided]).toEqual(['try', 2, []])
})

describe('a wrong turn', () => {
  it('is refuted, can be gone through, and is taken back', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { attempt, decided } = await begun(puzzle)
    const wrong = await wrongTurn(puzzle)
    await tried(attempt, wrong)
    expect([attempt.task.stage, decided, attempt.task.moves]).toEqual(['missed', [false], [wrong]])
    expect([attempt.variation.moves[0], attempt.variation.ply]).toEqual([wrong, attempt.variation.moves.length])
    expect(attempt.variation.moves.length).toBeGreaterThan(1)
    expect(attempt.task.verdict()).toContain(attempt.variation.moves[1])
    expect(attempt.task.board.view.last?.text).toBe(attempt.variation.moves.at(-1))
    await attempt.variation.moveTo(0)
    expect([attempt.variation.ply, attempt.task.board.view.text]).toEqual([0, attempt.task.start.text])
    await attempt.variation.moveTo(99)
    expect(attempt.variation.ply).toBe(attempt.variation.moves.length)
    attempt.retry()
    expect([attempt.task.stage, attempt.task.board.view, attempt.task.moves, attempt.task.verdict()]).toEqual([
      'try',
      attempt.task.start,
      [],
      '',
    ])
    for (let ply = 0; ply < puzzle.solution.length; ply += 2) await tried(attempt, puzzle.solution[ply] ?? '')
    expect([attempt.task.stage, attempt.task.verdict(), decided]).toEqual(['done', t('puzzle.done_later'), [false]])
  })

  it('later on is taken back to where it was played', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { attempt } = await begun(puzzle)
    await tried(attempt, puzzle.solution[0] ?? '')
    const before = attempt.task.board.view
    for (const turn of turnsOf(SHAPE, before)) {
      const { outcome } = await judge.view(puzzle.position, [...attempt.task.moves, turn])
      if (outcome) continue
      await tried(attempt, turn)
      break
    }
    expect(attempt.task.stage).toBe('missed')
    attempt.retry()
    expect([attempt.task.board.view, attempt.task.moves.length]).toEqual([before, 2])
    await tried(attempt, puzzle.solution[2] ?? '')
    expect(attempt.task.stage).toBe('done')
  })

  it('that wins more slowly is told so', async () => {
    const position = firstOf('win-2').position
    const [slow = ''] = (await winning(firstOf('win-2'))).solution
    // The same position as if one turn were enough: the first turn of two wins, but too slowly.
    const puzzle: Puzzle = {
      ...(await winning(firstOf('win-2'))),
      position,
      turns: 1,
      solution: ['Ta2n'],
      also: [],
    }
    const { attempt, decided } = await begun(puzzle)
    await tried(attempt, slow)
    expect([attempt.task.stage, attempt.task.verdict()]).toEqual(['missed', t('puzzle.too_slow', { n: 1 })])
    expect(decided).toEqual([false])
  })

  it('counts where it is the first and nobody can say why; later on it does not', async () => {
    const puzzle = await winning(firstOf('win-3'))
    const first = await begun(puzzle, { prover: blind })
    await tried(first.attempt, await wrongTurn(puzzle))
    expect([first.attempt.task.verdict(), first.decided]).toEqual([t('puzzle.not_looked_for'), [false]])
    expect(first.attempt.variation.moves).toEqual(first.attempt.task.moves)
    const later = await begun(puzzle, { prover: blind })
    await tried(later.attempt, puzzle.solution[0] ?? '')
    for (const turn of turnsOf(SHAPE, later.attempt.task.board.view)) {
      const view = await judge.view(puzzle.position, [...later.attempt.task.moves, turn])
      if (turn === puzzle.solution[2] || view.outcome || view.threats[view.turn].count) continue
      await tried(later.attempt, turn)
      break
    }
    expect([later.attempt.task.verdict(), later.decided]).toEqual([t('puzzle.not_looked_for'), []])
  })

  it('is simply wrong against the clock', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { attempt, decided } = await begun(puzzle, { isTimed: true, prover: blind })
    await tried(attempt, await wrongTurn(puzzle))
    expect([attempt.task.stage, attempt.task.verdict(), decided]).toEqual(['missed', t('puzzle.not_this'), [false]])
  })
})

describe('holding', () => {
  it.each(
    named('defence')
      .slice(0, 5)
      .map((tactic) => [tactic.position, tactic] as const),
  )('is done by the turns found, in %s', async (_, tactic) => {
    const puzzle = holding(tactic)
    for (const turn of [puzzle.solution[0] ?? '', ...puzzle.also.slice(0, 2)]) {
      const { attempt, decided } = await begun(puzzle)
      await tried(attempt, turn)
      expect([attempt.task.stage, decided, attempt.task.verdict()]).toEqual(['done', [true], t('puzzle.done_hold')])
    }
  })

  it.each([
    ...named('defence').slice(0, 3),
    ...named('centre')
      .filter(({ turns }) => !turns)
      .slice(0, 2),
  ])('fails with the opponent’s win on the board: $position', async (tactic) => {
    const puzzle = holding(tactic)
    const { attempt, decided } = await begun(puzzle)
    await tried(attempt, await wrongTurn(puzzle))
    expect([attempt.task.stage, decided, attempt.variation.moves.length]).toEqual(['missed', [false], 2])
    expect(attempt.task.board.view.outcome?.winner).not.toBe(attempt.task.learner)
    expect(attempt.task.verdict()).toContain(attempt.variation.moves[1])
  })

  it('is done as well by a turn that is not listed, if it holds', async () => {
    const tactic = named('defence').find(({ best }) => best.length > 1) as Tactic
    const { attempt } = await begun({ ...holding(tactic), also: [] })
    await tried(attempt, tactic.best[1] ?? '')
    expect(attempt.task.stage).toBe('done')
  })
})

it('hints in steps, and a hint is no solution', async () => {
  const puzzle = await winning(firstOf('win-2'))
  const { attempt, decided } = await begun(puzzle)
  const said = new Set<string>()
  for (let step = 0; step < 4; step++) {
    await attempt.giveHint()
    said.add(attempt.task.hints.hint?.words ?? '')
  }
  expect([said.size, decided]).toEqual([3, [false]])
  expect(attempt.task.hints.hint?.move).toEqual(readStep(puzzle.solution[0] ?? '', attempt.task.board.view).move)
})

it('shows the solution turn by turn, unless somebody goes through it by hand', async () => {
  const puzzle = await winning(firstOf('win-3'))
  const { attempt, decided } = await begun(puzzle)
  attempt.showSolution()
  expect([attempt.task.stage, attempt.variation.ply, decided]).toEqual(['shown', 0, [false]])
  await settled(attempt)
  expect([attempt.variation.ply, attempt.task.board.view.outcome?.winner]).toEqual([
    puzzle.solution.length,
    attempt.task.learner,
  ])
  let go: () => void = () => undefined
  const waits = await begun(puzzle, { pause: () => new Promise((resolve) => (go = resolve)) })
  waits.attempt.showSolution()
  await waits.attempt.variation.moveTo(2)
  go()
  await settled(waits.attempt)
  expect(waits.attempt.variation.ply).toBe(2)
  waits.attempt.reset()
  expect([waits.attempt.task.stage, waits.attempt.variation.moves, waits.attempt.task.board.view]).toEqual([
    'try',
    [],
    waits.attempt.task.start,
  ])
})

it('forgets an answer that comes when the board was set up again', async () => {
  const puzzle = await winning(firstOf('win-2'))
  let go: () => void = () => undefined
  const { attempt } = await begun(puzzle, { pause: () => new Promise((resolve) => (go = resolve)) })
  for (const action of actionsOf(readStep(puzzle.solution[0] ?? '', attempt.task.board.view), attempt.task.board.view))
    attempt.task.board.moveEntry.act(action)
  for (let moment = 0; moment < 10; moment++) await new Promise((resolve) => setTimeout(resolve))
  expect(attempt.task.stage).toBe('answer')
  attempt.reset()
  go()
  await settled(attempt)
  expect([attempt.task.stage, attempt.task.moves, attempt.task.board.view]).toEqual(['try', [], attempt.task.start])
})
