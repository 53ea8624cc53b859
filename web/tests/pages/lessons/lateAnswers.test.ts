/** Boards of lessons and puzzles whose judgements come late: what was shown does not count as solved. */
import { beforeAll, describe, expect, it } from 'vitest'

import { Shape } from '../../../src/board/model/shape'
import { openChapter } from '../../../src/i18n/index.svelte'
import { LESSONS } from '../../../src/pages/lessons/course'
import { Exercise } from '../../../src/pages/lessons/exercise.svelte'
import { PuzzleAttempt } from '../../../src/pages/puzzles/puzzleAttempt.svelte'
import { type GameJudge, kernelJudge } from '../../../src/play/judge'
import { actionsOf, readStep } from '../../../src/play/solutionStep'
import type { TaskBoard } from '../../../src/play/taskBoard.svelte'
import board from '../../fixtures/board.json'
import { settled } from '../../support/deferred'
import { kernel } from '../../support/realKernel'

const SHAPE = new Shape(board as never)
const judge = kernelJudge(kernel())
const options = () => ({ confirm: true })

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

function enter({ board }: TaskBoard, text: string): void {
  for (const action of actionsOf(readStep(text, board.view), board.view)) board.moveEntry.act(action)
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
    const exercise = new Exercise({ shape: SHAPE, view, options, judge: late }, lesson, task)
    enter(exercise.task, solution)
    exercise.showSolution()
    await tell(0)
    expect([exercise.task.stage, exercise.task.moves]).toEqual(['try', []])
    await tell(1)
    expect([exercise.task.stage, exercise.task.moves]).toEqual(['shown', [solution]])
  })

  it('begins again without the move that was on its way', async () => {
    const { judge: late, tell } = held()
    const view = await judge.view(task.position, [])
    const exercise = new Exercise({ shape: SHAPE, view, options, judge: late }, lesson, task)
    enter(exercise.task, solution)
    exercise.reset()
    expect(exercise.task.board.moveEntry.step).toBe('choose')
    await tell(0)
    expect([exercise.task.stage, exercise.task.moves, exercise.task.board.view]).toEqual(['try', [], view])
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
    const attemptOptions = { pause: async () => undefined, onDecided: (solved: boolean) => decided.push(solved) }
    const attempt = new PuzzleAttempt(
      { shape: SHAPE, view, options, judge: late },
      { ...puzzle, themes: [], rating: 1000 },
      attemptOptions,
    )
    enter(attempt.task, solution[0] ?? '')
    attempt.showSolution()
    await tell(0)
    expect([attempt.task.stage, attempt.task.moves, decided]).toEqual(['shown', [], [false]])
  })
})
