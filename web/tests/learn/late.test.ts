/** Boards of lessons and puzzles whose judgements come late: what was shown does not count as solved. */
import { beforeAll, describe, expect, it } from 'vitest'

import { Shape } from '../../src/board/model/shape'
import { openChapter } from '../../src/i18n/index.svelte'
import { LESSONS } from '../../src/learn/course'
import { Exercise } from '../../src/learn/exercise.svelte'
import type { Attempt } from '../../src/learn/attempt.svelte'
import { Solving } from '../../src/learn/puzzles/solving.svelte'
import { actionsOf, readTry } from '../../src/learn/tries'
import { type GameJudge, judgedBy } from '../../src/parts/judge'
import { settled } from '../answers'
import board from '../fixtures/board.json'
import { kernel } from '../inside'

const SHAPE = new Shape(board as never)
const judge = judgedBy(kernel())
const habits = () => ({ confirm: true })

/** The kernel's own answers, each told when a test says so. */
function held(): { judge: GameJudge; tell: (number: number) => Promise<void> } {
  const waiting: (() => void)[] = []
  const hold = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve) => waiting.push(() => void ask().then(resolve)))
  return {
    judge: {
      view: (start, turns) => hold(() => judge.view(start, turns)),
      game: (start, turns) => hold(() => judge.game(start, turns)),
      explainTap: (start, turns, tap) => hold(() => judge.explainTap(start, turns, tap)),
    },
    tell: async (number) => {
      if (!waiting[number]) throw new Error(`nobody asked ${number}`)
      waiting[number]()
      // The kernel answers in its own time; what it is asked later, it answers later.
      await judge.view('standard w', [])
      await settled()
    },
  }
}

function enter(attempt: Attempt, text: string): void {
  for (const action of actionsOf(readTry(text, attempt.view), attempt.view)) attempt.turn.act(action)
}

beforeAll(async () => {
  await openChapter('lessons')
  await openChapter('puzzles')
})

describe('a lesson', () => {
  const lesson = LESSONS.find(({ id }) => id === 'link')
  const task = lesson?.boards[0]
  if (!lesson || !task) throw new Error('there is no such lesson')
  const [solution = ''] = task.solution ?? []

  it('is not solved by a move that was judged after its solution was asked for', async () => {
    const { judge: late, tell } = held()
    const view = await judge.view(task.position, [])
    const exercise = new Exercise(SHAPE, view, lesson, task, habits, late)
    enter(exercise, solution)
    exercise.solve()
    await tell(0)
    expect([exercise.stage, exercise.turns]).toEqual(['try', []])
    await tell(1)
    expect([exercise.stage, exercise.turns]).toEqual(['shown', [solution]])
  })

  it('begins again without the move that was on its way', async () => {
    const { judge: late, tell } = held()
    const view = await judge.view(task.position, [])
    const exercise = new Exercise(SHAPE, view, lesson, task, habits, late)
    enter(exercise, solution)
    exercise.again()
    expect(exercise.turn.step).toBe('choose')
    await tell(0)
    expect([exercise.stage, exercise.turns, exercise.view]).toEqual(['try', [], view])
  })
})

describe('a puzzle', () => {
  const task = LESSONS.find(({ id }) => id === 'link')?.boards[1]
  const solution = task?.solution ?? []
  const puzzle = { id: 'late', position: task?.position ?? '', goal: 'win', turns: 1, solution, also: [] } as const

  it('is not solved by a move that was judged after its solution was asked for', async () => {
    const { judge: late, tell } = held()
    const decided: boolean[] = []
    const view = await judge.view(puzzle.position, [])
    const around = { judge: late, pause: async () => undefined, decided: (solved: boolean) => decided.push(solved) }
    const solving = new Solving(SHAPE, view, { ...puzzle, themes: [], rating: 1000 }, habits, around)
    enter(solving, solution[0] ?? '')
    solving.solve()
    await tell(0)
    expect([solving.stage, solving.turns, decided]).toEqual(['shown', [], [false]])
  })
})
