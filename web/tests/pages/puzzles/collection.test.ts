/** The file of puzzles: read whole, or refused with a code that the page has a sentence for. */
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import {
  loadPuzzles,
  puzzleOfTheDay,
  readPuzzles,
  type Puzzle,
  type PuzzlesError,
} from '../../../src/pages/puzzles/collection'
import days from '../../fixtures/days.json'

const FILE = readFileSync('../src/punct/puzzles/shipped.puzzles')
const PUZZLES = await readPuzzles(new Uint8Array(FILE))

afterEach(() => vi.unstubAllGlobals())

const codeOf = async (content: Uint8Array): Promise<string> =>
  readPuzzles(new Uint8Array(content)).then(
    () => 'read',
    (error: PuzzlesError) => error.code,
  )

it('reads what comes with the program', () => {
  expect(PUZZLES.length).toBeGreaterThanOrEqual(2000)
  expect(PUZZLES.map(({ id }) => id)).toEqual([...new Set(PUZZLES.map(({ id }) => id))].sort())
  for (const puzzle of PUZZLES) {
    expect(puzzle.id).toMatch(/^[0-9a-z]{6}$/)
    expect(puzzle.position).toMatch(/^(basic|standard) [wb]( [wb][TCEMLR][a-q]\d\d?(n|ne|se|s|sw|nw))+$/)
    expect(puzzle.solution).toHaveLength(2 * puzzle.turns - 1)
    for (const turn of [...puzzle.solution, ...puzzle.also])
      expect(turn).toMatch(/^([TCEMLR]|[a-q]\d\d?-)[a-q]\d\d?(n|ne|se|s|sw|nw)$/)
    expect(puzzle.rating).toBeGreaterThanOrEqual(600)
    expect(puzzle.rating).toBeLessThanOrEqual(2600)
  }
})

it('refuses what is torn, damaged, foreign or of another version', async () => {
  const plain = gunzipSync(FILE)
  const end = plain.indexOf(10)
  const head = JSON.parse(plain.subarray(0, end).toString()) as Record<string, unknown>
  const made = (changes: object, body = plain.subarray(end)): Buffer =>
    gzipSync(Buffer.concat([Buffer.from(JSON.stringify({ ...head, ...changes })), body]))

  expect(await codeOf(made({}))).toBe('read')
  expect(await codeOf(FILE.subarray(0, FILE.length / 2))).toBe('broken')
  expect(await codeOf(FILE.subarray(0, 0))).toBe('broken')
  expect(await codeOf(Buffer.from('<!doctype html>'))).toBe('broken')
  expect(await codeOf(gzipSync('{"match": 1}\n'))).toBe('broken')
  expect(await codeOf(gzipSync('null\n'))).toBe('broken')
  expect(await codeOf(made({ puzzles: 2 }))).toBe('format')
  expect(await codeOf(made({ count: (head['count'] as number) - 1 }))).toBe('broken')
  expect(await codeOf(made({ spaces: ['a2'] }))).toBe('broken')
  expect(await codeOf(made({}, plain.subarray(end, -1)))).toBe('broken')
  const wrong = Buffer.from(plain.subarray(end))
  wrong[wrong.length - 1] = 200
  expect(await codeOf(made({}, wrong))).toBe('broken')
})

it('fetches the file once, and again only where that failed', async () => {
  const fetch = vi.fn<() => Promise<Response>>().mockRejectedValueOnce(new TypeError('offline'))
  fetch.mockResolvedValueOnce(new Response('gone', { status: 404 })).mockResolvedValueOnce(new Response(FILE))
  vi.stubGlobal('fetch', fetch)
  await expect(loadPuzzles()).rejects.toMatchObject({ code: 'unreachable' })
  await expect(loadPuzzles()).rejects.toMatchObject({ code: 'unreachable' })
  const [one, another] = await Promise.all([loadPuzzles(), loadPuzzles()])
  expect(one).toEqual(PUZZLES)
  expect(another).toBe(one)
  expect(fetch).toHaveBeenCalledTimes(3)
})

it('has one puzzle for everybody on each day', () => {
  const example = PUZZLES[0] as Puzzle
  const many = days.ratings.map((rating, number) => ({ ...example, id: String(number), rating }))
  for (const [day, id] of Object.entries(days.days)) expect(puzzleOfTheDay(many, day)?.id).toBe(id)
  expect(puzzleOfTheDay([{ ...example, rating: 2600 }], '2026-11-17')).toBeNull()
})
