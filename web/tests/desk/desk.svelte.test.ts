/** A player's own board at a game that goes on while variations are tried. */
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { desk } from '../../src/api/desk'
import type { Game, Plan, TurnView } from '../../src/api/model'
import Desk from '../../src/desk/Desk.svelte'
import type { DeskGame } from '../../src/desk/deskGame'
import { openChapter } from '../../src/i18n/index.svelte'
import * as kernels from '../../src/kernel/lazy'
import { DEFAULTS } from '../../src/session/settings.svelte'
import { settled } from '../support/deferred'
import { fakeKernel } from '../support/fakeKernel'
import { game, turn } from '../support/games'
import { SHAPE } from '../support/positions'

const PLAN: Plan = {
  game: 'one',
  ply: 1,
  version: 1,
  first: null,
  replies: [{ turn: 'Tl10n', reply: 'Mb3n', then: [] }],
  dropped: null,
}

/** A game after these moves, as the next update brings it. */
function after(...moves: string[]): Game {
  const turns: TurnView[] = moves.map((text, ply) => turn(ply, text))
  return game({
    ply: moves.length,
    revision: ++revision,
    turn: moves.length % 2 ? 'b' : 'w',
    turns,
    time: '3d',
  })
}

let revision = 0
let current: Game = $state.raw(game())

const context: DeskGame = {
  get game() {
    return current
  },
  me: 'w',
  shape: SHAPE,
  settings: { ...DEFAULTS },
  summary: { opponent: 'Ben' },
  updates: { applyFromError: vi.fn() },
}

async function open(...moves: string[]): Promise<void> {
  current = after(...moves)
  render(Desk, { props: { context, onleave: vi.fn() } })
  await screen.findByTestId('desk')
  await settled()
}

async function receive(...moves: string[]): Promise<void> {
  current = after(...moves)
  await settled()
}

/** Every move in the tree; the variations are in lists of their own. */
const shown = (): string[] =>
  within(screen.getByTestId('tree'))
    .getAllByRole('button')
    .map((button) => button.textContent ?? '')
const currentMove = (): string | undefined =>
  within(screen.getByTestId('tree'))
    .getAllByRole('button')
    .find((button) => button.hasAttribute('aria-current'))?.textContent
const inVariations = (): string[] => screen.queryAllByTestId('variation').map((line) => line.textContent.trim())

beforeEach(async () => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  await openChapter('desk')
  vi.spyOn(kernels, 'loadKernel').mockResolvedValue(fakeKernel())
  vi.spyOn(desk, 'notebook').mockResolvedValue({ game: 'one', version: 0, note: '', tree: '' })
  vi.spyOn(desk, 'plan').mockResolvedValue(PLAN)
  vi.spyOn(desk, 'saveNotebook').mockImplementation((_, { note, tree, version }) =>
    Promise.resolve({ game: 'one', version: (version ?? 0) + 1, note: note ?? '', tree: tree ?? '' }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the board of a player in a running game', () => {
  it('shows every move of the game, whatever is undone', async () => {
    await open('Ed5ne')
    // Try a planned line: it is in the tree, and can be undone.
    await fireEvent.click(within(screen.getByTestId('plan')).getByText(/Tl10n.*Mb3n/))
    await settled()
    expect(shown()).toEqual(['Ed5ne', 'Tl10n', 'Mb3n'])
    await receive('Ed5ne', 'Tl5s')
    expect(shown().slice(0, 2)).toEqual(['Ed5ne', 'Tl5s'])
    await fireEvent.click(screen.getByTestId('desk-undo'))
    await settled()
    expect(shown()).toEqual(['Ed5ne', 'Tl5s'])
    expect(screen.getByTestId<HTMLButtonElement>('desk-undo').disabled).toBe(true)
    await fireEvent.keyDown(window, { key: 'z', ctrlKey: true, shiftKey: true })
    await settled()
    expect(inVariations()).toEqual([expect.stringContaining('Mb3n')])
  })

  it('follows the game though a move was replaced by another between two updates', async () => {
    await open('Ed5ne', 'Tl10n')
    expect(currentMove()).toBe('Tl10n')
    await receive('Ed5ne', 'Tl5s')
    expect(currentMove()).toBe('Tl5s')
    expect(shown().slice(0, 2)).toEqual(['Ed5ne', 'Tl5s'])
  })

  it('stays at the variation that is tried while the game goes on', async () => {
    await open('Ed5ne')
    await fireEvent.click(within(screen.getByTestId('plan')).getByText(/Tl10n.*Mb3n/))
    await settled()
    await receive('Ed5ne', 'Tl5s')
    expect(currentMove()).toBe('Mb3n')
    await receive('Ed5ne', 'Tl5s', 'Mb3n')
    expect(currentMove()).toBe('Mb3n')
    expect(inVariations()).toHaveLength(1)
  })
})
