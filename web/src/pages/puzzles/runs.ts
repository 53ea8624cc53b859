/** Runs: puzzles in a row, until the first mistake, or against the clock. Plain data, stored over a reload. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'

export type RunMode = 'streak' | 'rush'

/** The time of a rush, in milliseconds; and how many mistakes end a run. */
export const RUSH_MS = 180_000
const MISTAKES: Readonly<Record<RunMode, number>> = { streak: 1, rush: 3 }

/** A puzzle of a run, and whether it was solved. */
export interface PuzzleResult {
  readonly puzzle: string
  readonly solved: boolean
}

export interface Run {
  readonly mode: RunMode
  readonly met: readonly PuzzleResult[]
  /** The puzzle on the board; null once the run is over. */
  readonly now: string | null
  /** When the clock runs out, in milliseconds since 1970; null where there is none. */
  readonly ends: number | null
  /** The best result of any run before. */
  readonly record: number
}

export function newRun(mode: RunMode, now: number, record: number): Run {
  return { mode, met: [], now: null, ends: mode === 'rush' ? now + RUSH_MS : null, record }
}

export function solvedIn({ met }: Run): number {
  return met.filter(({ solved }) => solved).length
}

/** The puzzles of a run, the one on the board included. */
export function puzzleIdsIn({ met, now }: Run): string[] {
  return [...met.map(({ puzzle }) => puzzle), ...(now === null ? [] : [now])]
}

/** Whether more was solved than in any run before. */
export function isBest(run: Run): boolean {
  return solvedIn(run) > run.record
}

export function mistakesLeft({ mode, met }: Run): number {
  return MISTAKES[mode] - met.filter(({ solved }) => !solved).length
}

/** The milliseconds left; at least 0. */
export function timeLeft({ ends }: Run, now: number): number {
  return ends === null ? Infinity : Math.max(0, ends - now)
}

export function isOver(run: Run, now: number): boolean {
  return run.now === null || mistakesLeft(run) <= 0 || timeLeft(run, now) === 0
}

/** Whether the puzzle on the board has a result. */
export function isDecided({ met, now }: Run): boolean {
  return met.some(({ puzzle }) => puzzle === now)
}

/** Add the result of the puzzle on the board, once. After the end of a run nothing counts. */
export function withResult(run: Run, solved: boolean, now: number): Run {
  return run.now === null || isDecided(run) || isOver(run, now)
    ? run
    : { ...run, met: [...run.met, { puzzle: run.now, solved }] }
}

/** Set the next puzzle, or null at the end. */
export function withNextPuzzle(run: Run, next: string | null): Run {
  return { ...run, now: next }
}

const KEY = 'punct.puzzles.run'

/** The stored run of this tab; null if there is none, or none that is valid. */
export function readRun(storage: StorageReader, mode: RunMode): Run | null {
  const { met, now, ends, record, ...rest } = readJson(storage, KEY)
  if (rest['mode'] !== mode || !Array.isArray(met) || !met.every(isPuzzleResult)) return null
  if (typeof now !== 'string' || (mode === 'rush') !== (typeof ends === 'number')) return null
  return { mode, met, now, ends: typeof ends === 'number' ? ends : null, record: Number(record) || 0 }
}

export function writeRun(storage: StorageWriter, run: Run): void {
  writeJson(storage, KEY, run)
}

function isPuzzleResult(value: unknown): value is PuzzleResult {
  if (typeof value !== 'object' || value === null) return false
  const { puzzle, solved } = value as Record<string, unknown>
  return typeof puzzle === 'string' && typeof solved === 'boolean'
}
