/** What the browser keeps, and what is done where it keeps nothing: no error, and in this page nothing is lost. */
import { beforeEach, expect, it } from 'vitest'
import { GuardedStorage } from '../../src/browser/storage'

beforeEach(() => localStorage.clear())

/** A storage whose writes fail, as on a full disk. */
function full(): Storage {
  return new Proxy(localStorage, {
    get: (storage, name) => {
      if (name === 'setItem')
        return () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      const value: unknown = Reflect.get(storage, name, storage)
      return typeof value === 'function' ? (value.bind(storage) as unknown) : value
    },
  })
}

function blocked(): never {
  throw new DOMException('denied', 'SecurityError')
}

it('keeps in the browser what the browser takes', () => {
  const shelf = new GuardedStorage(() => localStorage)
  expect(shelf.setItem('punct.one', '1')).toBe(true)
  expect(localStorage.getItem('punct.one')).toBe('1')
  expect([shelf.getItem('punct.one'), shelf.getItem('punct.two'), shelf.keys('punct.')]).toEqual([
    '1',
    null,
    ['punct.one'],
  ])
  shelf.removeItem('punct.one')
  expect([localStorage.length, shelf.keys('punct.')]).toEqual([0, []])
})

it('remembers as long as the page where the very name throws', () => {
  const shelf = new GuardedStorage(blocked)
  expect(shelf.setItem('punct.one', '1')).toBe(false)
  expect([shelf.getItem('punct.one'), shelf.getItem('punct.two'), shelf.keys('punct.')]).toEqual([
    '1',
    null,
    ['punct.one'],
  ])
  shelf.removeItem('punct.one')
  expect([shelf.getItem('punct.one'), shelf.keys('punct.')]).toEqual([null, []])
})

it('knows better than a full browser, which still has what was before', () => {
  localStorage.setItem('punct.one', 'old')
  let storage = full
  const shelf = new GuardedStorage(() => storage())
  expect([shelf.getItem('punct.one'), shelf.setItem('punct.one', 'new'), shelf.getItem('punct.one')]).toEqual([
    'old',
    false,
    'new',
  ])
  storage = () => localStorage // there is room again
  expect([shelf.setItem('punct.one', 'newer'), localStorage.getItem('punct.one')]).toEqual([true, 'newer'])
  storage = full
  shelf.setItem('punct.one', 'newest')
  shelf.removeItem('punct.one') // which a full one can do
  expect([shelf.getItem('punct.one'), localStorage.length]).toEqual([null, 0])
})
