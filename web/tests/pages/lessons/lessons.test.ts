/** Every board of the course, played with the kernel: its goal can be reached, and what it calls wrong is wrong. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Shape } from '../../../src/board/model/shape'
import { type Messages, openChapter } from '../../../src/i18n/index.svelte'
import { LANGUAGES } from '../../../src/i18n/languages'
import { type Board, type Lesson, LESSONS, PARTS, wrongWay } from '../../../src/pages/lessons/course'
import { Exercise } from '../../../src/pages/lessons/exercise.svelte'
import { stepsOf } from '../../../src/play/hints'
import { kernelJudge } from '../../../src/play/judge'
import { actionsOf, readStep } from '../../../src/play/solutionStep'
import board from '../../fixtures/board.json'
import { kernel } from '../../support/realKernel'
import { turnsOf } from './turns'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const SHAPE = new Shape(board as never)
const ALL = LESSONS.flatMap((lesson) => lesson.boards.map((board) => ({ lesson, board })))
const NAMED = ALL.map(({ lesson, board }) => [`${lesson.id}.${board.id}`, lesson, board] as const)
const asked = kernel()
const judge = kernelJudge(asked)

async function begun(lesson: Lesson, board: Board): Promise<Exercise> {
  const view = await judge.view(board.position, [])
  const play = async (
    task: { start: string; turns: readonly string[] },
    level: number,
    seed: number,
  ): Promise<string> => (await asked.play(task, level, seed).result).move
  return new Exercise({ shape: SHAPE, view, options: () => ({ confirm: true }), judge }, lesson, board, play)
}

/** Wait until nothing is on its way any more. */
async function settled(exercise: Exercise): Promise<void> {
  for (let still = 0; still < 3; still++) {
    await new Promise((resolve) => setTimeout(resolve))
    if (exercise.task.stage === 'answer' || exercise.task.board.moveEntry.step === 'sent') still = -1
  }
}

async function tried(exercise: Exercise, text: string): Promise<void> {
  for (const action of actionsOf(readStep(text, exercise.task.board.view), exercise.task.board.view))
    exercise.task.board.moveEntry.act(action)
  await settled(exercise)
}

beforeAll(() => openChapter('lessons'))

it('is a whole course', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(40)
  expect([...new Set(LESSONS.map(({ part }) => part))]).toEqual([...PARTS])
  expect(new Set(NAMED.map(([name]) => name)).size).toBe(ALL.length)
})

describe.each(NAMED.filter(([, , { level }]) => !level))('%s', (name, lesson, board) => {
  it('has a position that a game can lead to', async () => {
    expect(await asked.status(board.position)).toEqual([])
    const { outcome } = await asked.view(board.position, [])
    expect(outcome !== null).toBe(board.goal.refused === 'GAME_OVER')
  })

  it('is solved by its solution, in its own words', async () => {
    const exercise = await begun(lesson, board)
    for (const text of board.solution ?? []) {
      expect(exercise.task.stage).toBe('try')
      await tried(exercise, text)
    }
    expect(exercise.task.stage).toBe('done')
    expect(exercise.task.verdict()).toBe(exercise.words('done'))
    exercise.reset()
    expect([exercise.task.stage, exercise.task.board.view, exercise.task.verdict()]).toEqual([
      'try',
      exercise.task.start,
      '',
    ])
  })

  it('shows its solution, and hints at it step by step', async () => {
    const exercise = await begun(lesson, board)
    const first = readStep(board.solution?.[0] ?? '', exercise.task.board.view)
    const hints = new Set<string>()
    for (let step = 0; step < 4; step++) {
      await exercise.task.hints.give()
      hints.add(exercise.task.hints.hint?.words ?? '')
    }
    expect(hints.size).toBe(stepsOf(first))
    expect(exercise.task.hints.hint?.move ?? null).toEqual(first.move ?? null)
    exercise.showSolution()
    await settled(exercise)
    expect([exercise.task.stage, exercise.task.verdict()]).toEqual(['shown', exercise.words('done')])
  })

  it('is not solved from the beginning, and what it calls wrong is', async () => {
    const { text, last, ...rest } = await judge.view(board.position, [])
    expect({ text, last }).toMatchObject({ last: null })
    const turns = turnsOf(SHAPE, { text, last, ...rest })
    for (const [way, patterns] of Object.entries(board.wrong ?? {})) {
      const manners = patterns.filter((pattern) => /^[a-z]+$/.test(pattern))
      // Of thousands of turns only those are looked at that may be meant.
      const meant = (turn: string): boolean =>
        wrongWay(board, turn, undefined) === way ||
        (manners.length > 0 && turn.includes('-') !== manners.includes('add'))
      let met = false
      for (const turn of turns.filter(meant)) {
        const { last } = await judge.view(board.position, [turn])
        if (wrongWay(board, turn, last?.manner) !== way) continue
        const exercise = await begun(lesson, board)
        await tried(exercise, turn)
        if (exercise.task.stage !== 'missed') continue
        met = true
        expect([turn, exercise.task.verdict()]).toEqual([turn, exercise.words(way)])
        break
      }
      expect(`${name} ${way}: ${met}`).toBe(`${name} ${way}: true`)
    }
  })
})

it('says that a turn loses hold of the goal', async () => {
  const [, lesson, board] = NAMED.find(([, , { hold }]) => hold) ?? []
  if (!lesson || !board) throw new Error('no board has anything to hold')
  const exercise = await begun(lesson, board)
  await tried(exercise, 'Co13n')
  expect([exercise.task.stage, exercise.task.verdict()]).toEqual(['missed', exercise.words('hold')])
})

it('plays the guided game to its end, and says something at every moment', async () => {
  const lesson = LESSONS.find(({ part }) => part === 'game')
  const board = lesson?.boards[0]
  if (!lesson || !board) throw new Error('there is no guided game')
  const exercise = await begun(lesson, board)
  const said = new Set([exercise.remark()])
  while (exercise.task.stage === 'try') {
    await exercise.task.hints.give()
    await exercise.task.hints.give()
    await exercise.task.hints.give()
    const turn = exercise.task.hints.hint?.move
    if (!turn) throw new Error('there is no hint')
    exercise.task.board.moveEntry.act({ do: 'suggest', ...turn })
    exercise.task.board.moveEntry.act({ do: 'confirm' })
    await settled(exercise)
    said.add(exercise.remark())
  }
  expect([exercise.task.stage, exercise.task.board.view.outcome !== null]).toEqual(['done', true])
  for (const moment of ['begin', 'second']) expect([...said]).toContain(exercise.words(moment))
  expect(['won', 'lost', 'drawn'].map((end) => exercise.words(end))).toContain(exercise.remark())
})

it('ends a whole game that goes round in circles', async () => {
  const [, lesson, board] = NAMED.find(([name]) => name === 'end.repetition') ?? []
  if (!lesson || !board?.solution) throw new Error('no board ends by repetition')
  // As in the guided game: whatever ends it is the goal.
  const exercise = await begun(lesson, { ...board, goal: { ended: true }, level: 1, turns: 99 })
  for (const text of board.solution) await tried(exercise, text)
  expect([exercise.task.stage, exercise.task.board.view.outcome]).toEqual([
    'done',
    { winner: null, reason: 'repetition' },
  ])
  const alone = await judge.view(board.position, exercise.task.moves)
  expect(alone.outcome).toBeNull()
})

it('meets every rule that a turn at the board can break', () => {
  const source = read('../../../../src/punct/reason.py')
  const rules = [...source.matchAll(/^ {4}([A-Z_]+) = /gm)].flatMap((match) => match[1] ?? [])
  // Only who writes a turn can name a piece that is not there: the board is tapped where pieces are.
  const written = ['NO_PIECE', 'NOT_ITS_PUNCT', 'OTHER_KIND']
  const met = ALL.flatMap(({ board }) => board.goal.refused ?? [])
  expect(rules.length).toBeGreaterThan(15)
  expect([...new Set(met)].sort()).toEqual(rules.filter((rule) => !written.includes(rule)).sort())
})

const texts = import.meta.glob<Messages>('../../../src/i18n/lessons/*.json', { import: 'default', eager: true })

it.each(LANGUAGES)('$name has a text for everything the course says, and no other', ({ code }) => {
  const wanted = LESSONS.flatMap((lesson) => [
    `lesson.${lesson.id}.title`,
    ...lesson.boards.flatMap((board) =>
      [
        'task',
        'done',
        ...Object.keys(board.wrong ?? {}),
        ...(board.hold ? ['hold'] : []),
        ...(board.moments ?? []).map(({ say }) => say),
      ].map((which) => `lesson.${lesson.id}.${board.id}.${which}`),
    ),
  ])
  const said = Object.keys(texts[`../../../src/i18n/lessons/${code}.json`] ?? {})
  expect(said.filter((key) => key.startsWith('lesson.')).sort()).toEqual(wanted.sort())
})
