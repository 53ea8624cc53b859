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
  const guarded = new GuardedStorage(() => localStorage)
  expect(guarded.setItem('punct.one', '1')).toBe(true)
  expect(localStorage.getItem('punct.one')).toBe('1')
  expect([guarded.getItem('punct.one'), guarded.getItem('punct.two'), guarded.keys('punct.')]).toEqual([
    '1',
    null,
    ['punct.one'],
  ])
  guarded.removeItem('punct.one')
  expect([localStorage.length, guarded.keys('punct.')]).toEqual([0, []])
})

it('remembers as long as the page where the very name throws', () => {
  const guarded = new GuardedStorage(blocked)
  expect(guarded.setItem('punct.one', '1')).toBe(false)
  expect([guarded.getItem('punct.one'), guarded.getItem('punct.two'), guarded.keys('punct.')]).toEqual([
    '1',
    null,
    ['punct.one'],
  ])
  guarded.removeItem('punct.one')
  expect([guarded.getItem('punct.one'), guarded.keys('punct.')]).toEqual([null, []])
})

it('knows better than a full browser, which still has what was before', () => {
  localStorage.setItem('punct.one', 'old')
  let storage = full
  const guarded = new GuardedStorage(() => storage())
  expect([guarded.getItem('punct.one'), guarded.setItem('punct.one', 'new'), guarded.getItem('punct.one')]).toEqual([
    'old',
    false,
    'new',
  ])
  storage = () => localStorage // there is room again
  expect([guarded.setItem('punct.one', 'newer'), localStorage.getItem('punct.one')]).toEqual([true, 'newer'])
  storage = full
  guarded.setItem('punct.one', 'newest')
  guarded.removeItem('punct.one') // which a full one can do
  expect([guarded.getItem('punct.one'), localStorage.length]).toEqual([null, 0])
})
