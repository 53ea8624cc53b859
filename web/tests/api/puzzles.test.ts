/** Puzzles on the account: all that was tried reaches the server, in parts, without what it does not know. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { reportReachable } from '../../src/api/connection.svelte'
import type { PuzzleStanding, PuzzleTry } from '../../src/api/model'
import { puzzles } from '../../src/api/puzzles'

const answers = vi.fn<typeof fetch>()
const standing = { rating: 1500, tries: 0 } as PuzzleStanding

beforeEach(() => {
  vi.stubGlobal('fetch', answers)
  answers.mockReset()
})

afterEach(() => {
  reportReachable()
  vi.unstubAllGlobals()
})

function tried(puzzle: string): PuzzleTry {
  return { puzzle, solved: true, at: '2026-11-17T12:00:00Z', mode: 'strength' }
}

/** A server that knows every puzzle but these. */
function serve(...unknown: string[]): PuzzleTry[][] {
  const taken: PuzzleTry[][] = []
  answers.mockImplementation((url, options) => {
    if (String(url as string).endsWith('/standing')) return Promise.resolve(Response.json(standing))
    const { tries } = JSON.parse(String(options?.body as string)) as { tries: PuzzleTry[] }
    const found = tries.map((each) => each.puzzle).filter((puzzle) => unknown.includes(puzzle))
    if (found.length) {
      const error = { code: 'unknown_puzzle', message: 'not here', detail: { puzzles: found } }
      return Promise.resolve(Response.json({ error }, { status: 422 }))
    }
    taken.push(tries)
    const ratings = Object.fromEntries(tries.map((each) => [each.puzzle, 1400]))
    return Promise.resolve(Response.json({ standing: { ...standing, tries: taken.flat().length }, puzzles: ratings }))
  })
  return taken
}

it('hands in a hundred at a time, in their order', async () => {
  const taken = serve()
  const all = Array.from({ length: 230 }, (_, place) => tried(`p${place}`))
  const answer = await puzzles.submitTries(all)
  expect(taken.map((part) => part.length)).toEqual([100, 100, 30])
  expect(taken.flat()).toEqual(all)
  expect(answer.standing.tries).toBe(230)
  expect(Object.keys(answer.puzzles)).toHaveLength(230)
})

it('leaves out what the server does not know, and hands in the rest', async () => {
  const taken = serve('old1', 'old2')
  const answer = await puzzles.submitTries([tried('old1'), tried('new'), tried('old2')])
  expect(taken).toEqual([[tried('new')]])
  expect(answer.puzzles).toEqual({ new: 1400 })
})

it('asks how one stands where nothing is left', async () => {
  expect(await (serve('old'), puzzles.submitTries([tried('old')]))).toEqual({ standing, puzzles: {} })
  expect(await puzzles.submitTries([])).toEqual({ standing, puzzles: {} })
})

it('gives up on a server that does not say what it does not know', async () => {
  const error = { code: 'unknown_puzzle', message: 'not here', detail: null }
  answers.mockImplementation(() => Promise.resolve(Response.json({ error }, { status: 422 })))
  await expect(puzzles.submitTries([tried('one')])).rejects.toMatchObject({ code: 'unknown_puzzle' })
  expect(answers).toHaveBeenCalledTimes(1)
})
