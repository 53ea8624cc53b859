/** What is remembered of the course, whatever became of the note. */
import { beforeEach, expect, it } from 'vitest'
import { Progress } from '../../src/learn/progress.svelte'

const KEY = 'punct.lessons'

beforeEach(() => localStorage.clear())

it('remembers what was done, in every tab', () => {
  const [one, another] = [new Progress(), new Progress()]
  one.add('aim.gap')
  another.add('jump.on_top')
  expect([one.has('aim.gap'), another.has('aim.gap'), one.has('jump.on_top')]).toEqual([true, true, false])
  const later = new Progress()
  expect([later.has('aim.gap'), later.has('jump.on_top'), later.broken]).toEqual([true, true, false])
  later.clear()
  expect([later.has('aim.gap'), new Progress().has('aim.gap')]).toEqual([false, false])
})

it.each(['', '{', 'null', '7', '[]', '{"done": 7}', '{"done": [7]}', '{"done": null}'])('puts %j aside', (broken) => {
  localStorage.setItem(KEY, broken)
  const progress = new Progress()
  expect(progress.broken).toBe(true)
  expect(localStorage.getItem(`${KEY}.broken`)).toBe(broken)
  progress.add('aim.gap')
  expect(new Progress().has('aim.gap')).toBe(true)
  expect(new Progress().broken).toBe(false)
})

it('lasts as long as the page where nothing is kept', () => {
  const refuse = (): never => {
    throw new DOMException('denied')
  }
  const progress = new Progress({ getItem: refuse, setItem: refuse, removeItem: refuse })
  progress.add('aim.gap')
  expect([progress.has('aim.gap'), progress.broken]).toEqual([true, false])
  progress.clear()
  expect(progress.has('aim.gap')).toBe(false)
})
