/** What is remembered of the course, whatever became of the note. */
import { beforeEach, expect, it } from 'vitest'
import { LessonProgress } from '../../../src/pages/lessons/lessonProgress.svelte'

const KEY = 'punct.lessons'

beforeEach(() => localStorage.clear())

it('remembers what was done, in every tab', () => {
  const [one, another] = [new LessonProgress(), new LessonProgress()]
  one.add('aim.gap')
  another.add('jump.on_top')
  expect([one.has('aim.gap'), another.has('aim.gap'), one.has('jump.on_top')]).toEqual([true, true, false])
  const later = new LessonProgress()
  expect([later.has('aim.gap'), later.has('jump.on_top'), later.broken]).toEqual([true, true, false])
  later.clear()
  expect([later.has('aim.gap'), new LessonProgress().has('aim.gap')]).toEqual([false, false])
})

it.each(['', '{', 'null', '7', '[]', '{"done": 7}', '{"done": [7]}', '{"done": null}'])('puts %j aside', (broken) => {
  localStorage.setItem(KEY, broken)
  const progress = new LessonProgress()
  expect(progress.broken).toBe(true)
  expect(localStorage.getItem(`${KEY}.broken`)).toBe(broken)
  progress.add('aim.gap')
  expect(new LessonProgress().has('aim.gap')).toBe(true)
  expect(new LessonProgress().broken).toBe(false)
})

it('lasts as long as the page where nothing is kept', () => {
  const refuse = (): never => {
    throw new DOMException('denied')
  }
  const progress = new LessonProgress({ getItem: refuse, setItem: refuse, removeItem: refuse })
  progress.add('aim.gap')
  expect([progress.has('aim.gap'), progress.broken]).toEqual([true, false])
  progress.clear()
  expect(progress.has('aim.gap')).toBe(false)
})
