import { describe, expect, it, vi } from 'vitest'

import { pressGameKey } from '../../../src/pages/game/keys'

function press(key: string, on: Element, how: KeyboardEventInit = {}) {
  const does = {
    step: vi.fn(),
    jump: vi.fn(),
    undo: vi.fn(),
    redo: vi.fn(),
    hint: vi.fn(),
    resign: vi.fn(),
    board: vi.fn(),
  }
  const event = new KeyboardEvent('keydown', { key, bubbles: true, ...how })
  let understood = false
  document.body.append(on)
  on.addEventListener('keydown', (event) => (understood = pressGameKey(does, event as KeyboardEvent)), { once: true })
  on.dispatchEvent(event)
  const done = Object.entries(does).flatMap(([name, spy]) =>
    spy.mock.calls.map((given: unknown[]) => [name, ...given].join(' ')),
  )
  return { understood, done }
}

function space(): Element {
  const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle')
  circle.setAttribute('data-space', 'd5')
  return circle
}

describe('a key of the game', () => {
  it.each([
    ['ArrowLeft', 'step -1'],
    ['ArrowRight', 'step 1'],
    [',', 'step -1'],
    ['.', 'step 1'],
    ['Home', 'jump first'],
    ['End', 'jump last'],
    ['z', 'undo'],
    ['h', 'hint'],
    ['H', 'hint'],
    ['q', 'resign'],
    ['b', 'board'],
  ])('%s: %s', (key, does) => {
    expect(press(key, document.createElement('button'))).toEqual({ understood: true, done: [does] })
  })

  it('Shift+Z plays again what Z took back, with Caps Lock too', () => {
    const button = document.createElement('button')
    expect(press('Z', button, { shiftKey: true }).done).toEqual(['redo'])
    expect(press('Z', button).done).toEqual(['undo'])
  })

  it('on the board leaves the arrows to the board; comma and full stop still step', () => {
    expect(press('ArrowLeft', space())).toEqual({ understood: false, done: [] })
    expect(press(',', space()).done).toEqual(['step -1'])
    expect(press('End', space()).done).toEqual(['jump last'])
  })

  it('means nothing while somebody types, is asked, or means the browser', () => {
    const asked = document.createElement('div')
    asked.setAttribute('role', 'alertdialog')
    for (const on of [document.createElement('input'), document.createElement('select'), asked]) {
      expect(press('z', on)).toEqual({ understood: false, done: [] })
    }
    expect(press('z', document.createElement('button'), { ctrlKey: true }).understood).toBe(false)
    expect(press('ArrowLeft', document.createElement('button'), { altKey: true }).understood).toBe(false)
    expect(press('x', document.createElement('button')).understood).toBe(false)
  })
})
