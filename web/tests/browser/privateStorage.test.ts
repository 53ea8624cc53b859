/** Notes about somebody's own games: no larger than they may be, and never another person's. */
import { beforeEach, expect, it } from 'vitest'
import { PrivateStorage, setStorageOwner } from '../../src/browser/privateStorage'

interface Noted {
  readonly at: number
  readonly text: string
}

const notes = new PrivateStorage<Noted>('test', ({ text }) => typeof text === 'string', 1000)

beforeEach(() => localStorage.clear())

it('makes room for the newest by letting go of the oldest, however many there are', () => {
  for (let number = 0; number < 20; number++) notes.write(`n${number}`, { at: number, text: 'x'.repeat(200) })
  const letters = notes.ids().reduce((sum, id) => sum + JSON.stringify(notes.read(id)).length, 0)
  expect(letters).toBeLessThanOrEqual(1000)
  expect(notes.ids().sort()).toEqual(['n16', 'n17', 'n18', 'n19'])
  notes.write('n16', { at: 20, text: 'y'.repeat(200) }) // its own older self is no burden
  expect(notes.ids()).toHaveLength(4)
})

it('keeps nothing of what is too large, not even what was before', () => {
  notes.write('one', { at: 1, text: 'small' })
  notes.write('one', { at: 2, text: 'x'.repeat(2000) })
  expect([notes.read('one'), notes.ids()]).toEqual([null, []])
})

it('forgets everything when another person is here, or nobody any more', () => {
  setStorageOwner('anna')
  notes.write('one', { at: 1, text: 'hers' })
  setStorageOwner('anna')
  expect(notes.read('one')?.text).toBe('hers')
  setStorageOwner(null)
  expect([notes.read('one'), notes.ids()]).toEqual([null, []])
  notes.write('two', { at: 1, text: 'nobody’s' })
  setStorageOwner('ben')
  expect(notes.read('two')).toBeNull()
})
