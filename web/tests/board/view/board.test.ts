import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import Board from '../../../src/board/view/Board.svelte'
import { MoveEntry } from '../../../src/board/view/entry.svelte'
import { MIDDLE, SHAPE, situation, START } from '../../support/positions'

const callbacks = { onAct: vi.fn(), onPlay: vi.fn(), onExplain: vi.fn(), onNotice: vi.fn(), onAim: vi.fn() }

function show(position = START): MoveEntry {
  const now = situation(position)
  const turn = new MoveEntry(() => now, callbacks)
  render(Board, { shape: SHAPE, position, moveEntry: turn })
  return turn
}

const space = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-space="${name}"][role="button"]`)
  if (!found) throw new Error(`no space ${name}`)
  return found
}

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  for (const spy of Object.values(callbacks)) spy.mockClear()
})

describe('the board in the page', () => {
  it('names every space, with what shows on it', () => {
    show(MIDDLE)
    expect(document.querySelectorAll('[role="button"][data-space]')).toHaveLength(211)
    expect(space('i6').getAttribute('aria-label')).toContain('level 3')
    expect(space('i16').getAttribute('aria-label')).toBe('i16, empty')
    expect(space('o11').getAttribute('aria-label')).toContain('PÜNCT')
  })

  it('has one space in the tab order, and arrow keys move it', async () => {
    show()
    const inOrder = () =>
      [...document.querySelectorAll('[role="button"][tabindex="0"]')].map((found) => found.getAttribute('data-space'))
    expect(inOrder()).toEqual(['i9'])
    await fireEvent.keyDown(space('i9'), { key: 'ArrowUp' })
    expect(inOrder()).toEqual(['i10'])
    expect(document.activeElement).toBe(space('i10'))
  })

  it('plays a turn by keyboard alone', async () => {
    const turn = show()
    turn.act({ do: 'take', kind: 'E', colour: 'w' })
    await fireEvent.keyDown(space('d5'), { key: 'Enter' })
    expect(screen.getByTestId('ghost').dataset).toMatchObject({ space: 'd5', heading: 'n', level: '1' })
    await fireEvent.keyDown(space('d5'), { key: 'Enter' })
    expect(callbacks.onPlay).toHaveBeenCalledWith('Ed5n')
  })

  it('goes from one possibility to the next', async () => {
    const turn = show(MIDDLE)
    await fireEvent.keyDown(space('a2'), { key: 'n' })
    const first = document.activeElement?.getAttribute('data-space') ?? ''
    expect(turn.situation().legal.canMove(first)).toBe(true)
  })

  it('shows what lies on a space without touching the turn in progress', async () => {
    const turn = show(MIDDLE)
    await fireEvent.keyDown(space('p9'), { key: 'Enter' })
    const before = turn.entry
    await fireEvent.keyDown(space('h5'), { key: 'p' })
    expect(screen.getByTestId('peek').textContent).toContain('h5')
    expect(screen.getByTestId('peek').querySelectorAll('li')).toHaveLength(3)
    expect(turn.entry).toBe(before)
    await fireEvent.keyDown(space('h5'), { key: 'p' })
    expect(screen.queryByTestId('peek')).toBeNull()
  })

  it('is a picture without a turn to enter', () => {
    render(Board, { shape: SHAPE, position: MIDDLE })
    expect(screen.getByRole('img', { name: 'Board' })).toBeTruthy()
    expect(document.querySelector('[role="button"]')).toBeNull()
  })
})
