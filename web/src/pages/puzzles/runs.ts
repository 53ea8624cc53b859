/** Several puzzles in a row: until the first mistake, or against the clock. Plain data, kept over a reload. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'

export type RunMode = 'streak' | 'rush'

/** How long one has against the clock, in milliseconds; and how many mistakes end it. */
export const RUSH_MS = 180_000
const MISTAKES: Readonly<Record<RunMode, number>> = { streak: 1, rush: 3 }

/** A puzzle that was met, and whether it was solved. */
export interface PuzzleResult {
  readonly puzzle: string
  readonly solved: boolean
}

export interface Run {
  readonly mode: RunMode
  readonly met: readonly PuzzleResult[]
  /** The one on the board; null once it is over. */
  readonly now: string | null
  /** When the clock runs out, in milliseconds since 1970; null where there is none. */
  readonly ends: number | null
  /** The most that was solved in any run before. */
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

/** Whether more was solved than in any before. */
export function isBest(run: Run): boolean {
  return solvedIn(run) > run.record
}

export function mistakesLeft({ mode, met }: Run): number {
  return MISTAKES[mode] - met.filter(({ solved }) => !solved).length
}

/** Milliseconds left; never less than none. */
export function timeLeft({ ends }: Run, now: number): number {
  return ends === null ? Infinity : Math.max(0, ends - now)
}

export function isOver(run: Run, now: number): boolean {
  return run.now === null || mistakesLeft(run) <= 0 || timeLeft(run, now) === 0
}

/** Whether the puzzle on the board has been decided. */
export function isDecided({ met, now }: Run): boolean {
  return met.some(({ puzzle }) => puzzle === now)
}

/** The puzzle on the board was solved, or was not; once. What is decided after the end does not count. */
export function afterPuzzle(run: Run, solved: boolean, now: number): Run {
  return run.now === null || isDecided(run) || isOver(run, now)
    ? run
    : { ...run, met: [...run.met, { puzzle: run.now, solved }] }
}

/** The next puzzle comes; there may be none any more. */
export function withNextPuzzle(run: Run, next: string | null): Run {
  return { ...run, now: next }
}

const KEY = 'punct.puzzles.run'

/** The run that was under way in this tab; null if there was none, or none that makes sense. */
export function readRun(storage: StorageReader, mode: RunMode): Run | null {
  const { met, now, ends, record, ...noted } = readJson(storage, KEY)
  if (noted['mode'] !== mode || !Array.isArray(met) || !met.every(isMet)) return null
  if (typeof now !== 'string' || (mode === 'rush') !== (typeof ends === 'number')) return null
  return { mode, met, now, ends: typeof ends === 'number' ? ends : null, record: Number(record) || 0 }
}

export function writeRun(storage: StorageWriter, run: Run): void {
  writeJson(storage, KEY, run)
}

function isMet(noted: unknown): noted is PuzzleResult {
  if (typeof noted !== 'object' || noted === null) return false
  const { puzzle, solved } = noted as Record<string, unknown>
  return typeof puzzle === 'string' && typeof solved === 'boolean'
}
