/** Puzzles on the board, judged by the real kernel: positions whose wins and defences are proven (tests/engine). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Shape } from '../../../src/board/model/shape'
import { openChapter, t } from '../../../src/i18n/index.svelte'
import type { Task } from '../../../src/kernel/kernel'
import { type Puzzle, readPuzzles } from '../../../src/learn/puzzles/collection'
import { type Around, type Prover, Solving } from '../../../src/learn/puzzles/solving.svelte'
import { actionsOf, readTry } from '../../../src/learn/tries'
import { judgedBy } from '../../../src/parts/judge'
import board from '../../fixtures/board.json'
import { kernel } from '../../inside'
import { turnsOf } from '../turns'

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
const judge = judgedBy(asked)

const prover: Prover = {
  answer: (task, turns) => asked.answer(task, turns, ENOUGH).done,
  win: (task, turns) => asked.win(task, turns, ENOUGH).done,
  play: async (task) => (await asked.play(task, 1, 0).done).move,
}

/** One that never has the time. */
const blind: Prover = {
  answer: () => Promise.resolve({ lost: null, reply: null, turns: 0, line: [] }),
  win: () => Promise.resolve({ won: null, line: [] }),
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

async function begun(puzzle: Puzzle, around: Around = {}): Promise<{ solving: Solving; decided: boolean[] }> {
  const decided: boolean[] = []
  const view = await judge.view(puzzle.position, [])
  const habits = (): { confirm: boolean } => ({ confirm: true })
  const solving = new Solving(SHAPE, view, puzzle, habits, {
    judge,
    prover,
    pause: () => Promise.resolve(),
    decided: (solved) => decided.push(solved),
    ...around,
  })
  return { solving, decided }
}

/** Wait until nothing is on its way any more. */
async function settled(solving: Solving): Promise<void> {
  let before = ''
  for (let still = 0; still < 5; still++) {
    await new Promise((resolve) => setTimeout(resolve))
    const now = `${solving.view.text} ${solving.at}`
    if (solving.stage === 'answer' || solving.turn.step === 'sent' || now !== before) still = -1
    before = now
  }
}

async function tried(solving: Solving, text: string): Promise<void> {
  for (const action of actionsOf(readTry(text, solving.view), solving.view)) solving.turn.act(action)
  await settled(solving)
}

/** A turn after which the side to move does not lose within so many turns. */
async function wrongTurn(puzzle: Puzzle, lost: boolean | null = false): Promise<string> {
  const right = [...puzzle.solution, ...puzzle.also]
  for (const turn of turnsOf(SHAPE, await judge.view(puzzle.position, []))) {
    if (right.includes(turn)) continue
    const task: Task = { start: puzzle.position, turns: [turn] }
    if ((await judge.view(task.start, task.turns)).outcome) continue
    const answer = await prover.answer(task, Math.max(1, puzzle.turns - 1))
    if (answer.lost === lost) return turn
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
      const { solving, decided } = await begun(puzzle)
      for (let ply = 0; ply < puzzle.solution.length; ply += 2) {
        expect([solving.stage, solving.turns]).toEqual(['try', puzzle.solution.slice(0, ply)])
        await tried(solving, puzzle.solution[ply] ?? '')
      }
      expect([solving.stage, decided, solving.view.outcome?.winner]).toEqual(['done', [true], solving.learner])
      expect([solving.verdict(), solving.line]).toEqual([t('puzzle.done_win'), solving.turns])
    },
  )
})

/** Every so-manieth of those that come with the program: all are proven elsewhere. */
const SHIPPED = await readPuzzles(new Uint8Array(readFileSync('../src/punct/puzzles/shipped.puzzles')))
const SAMPLE = SHIPPED.filter((_, place) => place % 60 === 0).map((puzzle) => [puzzle.id, puzzle] as const)

it.each(SAMPLE)('comes with a puzzle that is solved: %s', async (_, puzzle) => {
  const { solving, decided } = await begun(puzzle)
  for (let ply = 0; ply < puzzle.solution.length; ply += 2) await tried(solving, puzzle.solution[ply] ?? '')
  expect([solving.stage, decided, solving.turns]).toEqual(['done', [true], puzzle.solution])
  for (const turn of puzzle.also) {
    const other = await begun(puzzle)
    await tried(other.solving, turn)
    expect([turn, other.solving.stage]).toEqual([turn, puzzle.turns === 1 ? 'done' : 'try'])
  }
})

it('accepts another turn that wins, and answers it; hints lead to the end', async () => {
  const tactic = named('win-2').find(({ best }) => best.length > 1) as Tactic
  const puzzle = await winning(tactic, false)
  const other = tactic.best.find((turn) => turn !== puzzle.solution[0]) ?? ''
  const { solving } = await begun(puzzle)
  await tried(solving, other)
  expect([solving.stage, solving.turns.length]).toEqual(['try', 2])
  for (let step = 0; step < 3; step++) await solving.giveHint()
  const hint = solving.hint?.turn
  if (!hint) throw new Error('there is no hint')
  solving.turn.act({ do: 'suggest', ...hint })
  solving.turn.act({ do: 'confirm' })
  await settled(solving)
  expect([solving.stage, solving.view.outcome?.winner]).toEqual(['done', solving.learner])
})

it('accepts what is listed even where nothing can be proven in time', async () => {
  const tactic = named('win-2').find(({ best }) => best.length > 1) as Tactic
  const puzzle = await winning(tactic)
  const { solving, decided } = await begun(puzzle, { prover: blind })
  await tried(solving, puzzle.also[0] ?? '')
  expect([solving.stage, solving.turns.length, decided]).toEqual(['try', 2, []])
})

describe('a wrong turn', () => {
  it('is refuted, can be gone through, and is taken back', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { solving, decided } = await begun(puzzle)
    const wrong = await wrongTurn(puzzle)
    await tried(solving, wrong)
    expect([solving.stage, decided, solving.turns]).toEqual(['missed', [false], [wrong]])
    expect([solving.line[0], solving.at]).toEqual([wrong, solving.line.length])
    expect(solving.line.length).toBeGreaterThan(1)
    expect(solving.verdict()).toContain(solving.line[1])
    expect(solving.view.last?.text).toBe(solving.line.at(-1))
    await solving.look(0)
    expect([solving.at, solving.view.text]).toEqual([0, solving.start.text])
    await solving.look(99)
    expect(solving.at).toBe(solving.line.length)
    solving.retry()
    expect([solving.stage, solving.view, solving.turns, solving.verdict()]).toEqual(['try', solving.start, [], ''])
    for (let ply = 0; ply < puzzle.solution.length; ply += 2) await tried(solving, puzzle.solution[ply] ?? '')
    expect([solving.stage, solving.verdict(), decided]).toEqual(['done', t('puzzle.done_later'), [false]])
  })

  it('later on is taken back to where it was played', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { solving } = await begun(puzzle)
    await tried(solving, puzzle.solution[0] ?? '')
    const before = solving.view
    for (const turn of turnsOf(SHAPE, before)) {
      const { outcome } = await judge.view(puzzle.position, [...solving.turns, turn])
      if (outcome) continue
      await tried(solving, turn)
      break
    }
    expect(solving.stage).toBe('missed')
    solving.retry()
    expect([solving.view, solving.turns.length]).toEqual([before, 2])
    await tried(solving, puzzle.solution[2] ?? '')
    expect(solving.stage).toBe('done')
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
    const { solving, decided } = await begun(puzzle)
    await tried(solving, slow)
    expect([solving.stage, solving.verdict()]).toEqual(['missed', t('puzzle.too_slow', { n: 1 })])
    expect(decided).toEqual([false])
  })

  it('counts where it is the first and nobody can say why; later on it does not', async () => {
    const puzzle = await winning(firstOf('win-3'))
    const first = await begun(puzzle, { prover: blind })
    await tried(first.solving, await wrongTurn(puzzle))
    expect([first.solving.verdict(), first.decided]).toEqual([t('puzzle.not_looked_for'), [false]])
    expect(first.solving.line).toEqual(first.solving.turns)
    const later = await begun(puzzle, { prover: blind })
    await tried(later.solving, puzzle.solution[0] ?? '')
    for (const turn of turnsOf(SHAPE, later.solving.view)) {
      const view = await judge.view(puzzle.position, [...later.solving.turns, turn])
      if (turn === puzzle.solution[2] || view.outcome || view.threats[view.turn].count) continue
      await tried(later.solving, turn)
      break
    }
    expect([later.solving.verdict(), later.decided]).toEqual([t('puzzle.not_looked_for'), []])
  })

  it('is simply wrong against the clock', async () => {
    const puzzle = await winning(firstOf('win-2'))
    const { solving, decided } = await begun(puzzle, { hasty: true, prover: blind })
    await tried(solving, await wrongTurn(puzzle))
    expect([solving.stage, solving.verdict(), decided]).toEqual(['missed', t('puzzle.not_this'), [false]])
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
      const { solving, decided } = await begun(puzzle)
      await tried(solving, turn)
      expect([solving.stage, decided, solving.verdict()]).toEqual(['done', [true], t('puzzle.done_hold')])
    }
  })

  it.each([
    ...named('defence').slice(0, 3),
    ...named('centre')
      .filter(({ turns }) => !turns)
      .slice(0, 2),
  ])('fails with the opponent’s win on the board: $position', async (tactic) => {
    const puzzle = holding(tactic)
    const { solving, decided } = await begun(puzzle)
    await tried(solving, await wrongTurn(puzzle))
    expect([solving.stage, decided, solving.line.length]).toEqual(['missed', [false], 2])
    expect(solving.view.outcome?.winner).not.toBe(solving.learner)
    expect(solving.verdict()).toContain(solving.line[1])
  })

  it('is done as well by a turn that is not listed, if it holds', async () => {
    const tactic = named('defence').find(({ best }) => best.length > 1) as Tactic
    const { solving } = await begun({ ...holding(tactic), also: [] })
    await tried(solving, tactic.best[1] ?? '')
    expect(solving.stage).toBe('done')
  })
})

it('hints in steps, and a hint is no solution', async () => {
  const puzzle = await winning(firstOf('win-2'))
  const { solving, decided } = await begun(puzzle)
  const said = new Set<string>()
  for (let step = 0; step < 4; step++) {
    await solving.giveHint()
    said.add(solving.hint?.words ?? '')
  }
  expect([said.size, decided]).toEqual([3, [false]])
  expect(solving.hint?.turn).toEqual(readTry(puzzle.solution[0] ?? '', solving.view).turn)
})

it('shows the solution turn by turn, unless somebody goes through it by hand', async () => {
  const puzzle = await winning(firstOf('win-3'))
  const { solving, decided } = await begun(puzzle)
  solving.solve()
  expect([solving.stage, solving.at, decided]).toEqual(['shown', 0, [false]])
  await settled(solving)
  expect([solving.at, solving.view.outcome?.winner]).toEqual([puzzle.solution.length, solving.learner])
  let go: () => void = () => undefined
  const waits = await begun(puzzle, { pause: () => new Promise((resolve) => (go = resolve)) })
  waits.solving.solve()
  await waits.solving.look(2)
  go()
  await settled(waits.solving)
  expect(waits.solving.at).toBe(2)
  waits.solving.again()
  expect([waits.solving.stage, waits.solving.line, waits.solving.view]).toEqual(['try', [], waits.solving.start])
})

it('forgets an answer that comes when the board was set up again', async () => {
  const puzzle = await winning(firstOf('win-2'))
  let go: () => void = () => undefined
  const { solving } = await begun(puzzle, { pause: () => new Promise((resolve) => (go = resolve)) })
  for (const action of actionsOf(readTry(puzzle.solution[0] ?? '', solving.view), solving.view))
    solving.turn.act(action)
  for (let moment = 0; moment < 10; moment++) await new Promise((resolve) => setTimeout(resolve))
  expect(solving.stage).toBe('answer')
  solving.again()
  go()
  await settled(solving)
  expect([solving.stage, solving.turns, solving.view]).toEqual(['try', [], solving.start])
})
