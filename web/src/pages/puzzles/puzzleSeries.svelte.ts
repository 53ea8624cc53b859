/** Puzzles one after the other, in one of the ways to choose them; what was decided is noted at once. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'
import { type Puzzle, puzzleOfTheDay } from './collection'
import type { Mode, PuzzleProgress, TryRecord } from './puzzleProgress.svelte'
import {
  afterPuzzle,
  isBest,
  isDecided,
  isOver,
  newRun,
  puzzleIdsIn,
  type PuzzleResult,
  readRun,
  type Run,
  type RunMode,
  solvedIn,
  withNextPuzzle,
  writeRun,
} from './runs'
import { beginnerPuzzles, choosePuzzle, targetRating } from './selection'
import { isAbout, MISSED, type Subject, SUBJECTS } from './themes'

/** Where one is: a way to choose puzzles, or one puzzle. */
export type PuzzleRoute =
  | { readonly mode: 'strength' | 'day' | RunMode }
  | { readonly mode: 'theme'; readonly subject: Subject | typeof MISSED }
  | { readonly mode: 'one'; readonly puzzle: string }

/** By the end of its address. */
const MODES: Readonly<Record<string, PuzzleRoute>> = {
  day: { mode: 'day' },
  strength: { mode: 'strength' },
  streak: { mode: 'streak' },
  clock: { mode: 'rush' },
}

export function routeOf(id: string): PuzzleRoute {
  const subject = [...SUBJECTS, MISSED as typeof MISSED].find((name) => id === `theme/${name}`)
  if (subject) return { mode: 'theme', subject }
  return MODES[id] ?? { mode: 'one', puzzle: id }
}

/** The day it is, for everybody. */
export function today(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

const KEY = 'punct.puzzles.now'

export interface SeriesContext {
  /** What lasts as long as the tab. */
  readonly storage: StorageReader & StorageWriter
  readonly now: () => number
  readonly chance: () => number
}

export class PuzzleSeries {
  /** The one on the board; null where there is none. */
  puzzle: Puzzle | null = $state.raw(null)
  /** Grows with each that is put on the board, be it the same one again. */
  round = $state(0)
  run: Run | null = $state.raw(null)
  /** By how much the last one changed the rating; null where it did not count. */
  change: number | null = $state(null)
  /** Whether the one on the board was tried before. */
  known = $state(false)
  /** What was tried here since the page was opened. */
  met: readonly PuzzleResult[] = $state.raw([])
  /** The time, as far as it was looked at. */
  clock: number = $state(0)
  /** The day whose puzzle it is. */
  readonly day: string
  /** What was met in the run before this one: no two begin alike. */
  #earlier: ReadonlySet<string> = new Set()

  constructor(
    readonly id: string,
    readonly route: PuzzleRoute,
    readonly puzzles: readonly Puzzle[],
    readonly progress: PuzzleProgress,
    readonly context: SeriesContext,
  ) {
    this.clock = context.now()
    this.day = today(this.clock)
    if (route.mode === 'streak' || route.mode === 'rush') this.#resume(route.mode)
    else this.#show(this.#first())
  }

  /** Those there are to choose from here. */
  get subjectPuzzles(): readonly Puzzle[] {
    const { route, progress } = this
    if (route.mode !== 'theme') return this.puzzles
    const { subject } = route
    return this.puzzles.filter((puzzle) =>
      subject === MISSED ? progress.before(puzzle.id) === 'failed' : isAbout(puzzle, subject),
    )
  }

  /** Whether a run is over; where none is under way it has not begun. */
  get over(): boolean {
    return this.run !== null && isOver(this.run, this.clock)
  }

  /** Whether the run is the best so far. */
  get best(): boolean {
    return this.run !== null && isBest(this.run)
  }

  /** Look at the clock. */
  tick(): void {
    this.clock = this.context.now()
  }

  #find(id: unknown): Puzzle | null {
    return this.puzzles.find((puzzle) => puzzle.id === id) ?? null
  }

  #first(): Puzzle | null {
    const { route } = this
    if (route.mode === 'one') return this.#find(route.puzzle)
    if (route.mode === 'day') return puzzleOfTheDay(this.puzzles, this.day)
    return this.#find(readJson(this.context.storage, KEY)[this.id]) ?? this.#choose()
  }

  #choose(): Puzzle | null {
    const { run, progress, route } = this
    const wanted = run ? targetRating(solvedIn(run)) : progress.rating.rating
    const passed = new Set([...(run ? puzzleIdsIn(run) : []), ...(this.puzzle ? [this.puzzle.id] : [])])
    const before = ({ id }: Puzzle): ReturnType<PuzzleProgress['before']> => progress.before(id)
    const begun = run ? run.met.length : route.mode === 'strength' ? progress.tries : Infinity
    const some = beginnerPuzzles(this.subjectPuzzles, begun)
    const { chance } = this.context
    return (
      choosePuzzle(some, wanted, before, new Set([...passed, ...this.#earlier]), chance) ??
      choosePuzzle(this.subjectPuzzles, wanted, before, passed, chance)
    )
  }

  #show(puzzle: Puzzle | null): void {
    this.puzzle = puzzle
    this.round += 1
    this.change = null
    this.known = puzzle !== null && this.progress.before(puzzle.id) !== 'new'
    this.#remember(puzzle?.id)
  }

  /** So that the same one is there after a reload. */
  #remember(id: string | undefined): void {
    const { storage } = this.context
    if (this.route.mode === 'strength' || this.route.mode === 'theme')
      writeJson(storage, KEY, { ...readJson(storage, KEY), [this.id]: id })
  }

  /** Go on with a run that a reload has interrupted. */
  #resume(mode: RunMode): void {
    const run = readRun(this.context.storage, mode)
    const puzzle = this.#find(run?.now)
    if (run && puzzle && !isOver(run, this.context.now())) {
      this.run = run
      this.#show(puzzle)
      // What was decided before the reload is not to be solved again.
      if (isDecided(run)) this.next()
    } else if (mode === 'streak') this.start()
  }

  /** Begin a run. */
  start(): void {
    const { mode } = this.route
    if (mode !== 'streak' && mode !== 'rush') return
    this.tick()
    this.puzzle = null
    const earlier = this.run ?? readRun(this.context.storage, mode)
    this.#earlier = new Set(earlier ? puzzleIdsIn(earlier) : [])
    const { bestStreak, bestRush } = this.progress
    const blank = newRun(mode, this.clock, mode === 'rush' ? bestRush : bestStreak)
    this.run = blank
    const first = this.#choose()
    this.#keep(withNextPuzzle(blank, first?.id ?? null))
    this.#show(first)
  }

  #keep(run: Run): void {
    this.run = run
    writeRun(this.context.storage, run)
  }

  /** It is known whether the first try solves the puzzle on the board. */
  decided(solved: boolean): void {
    this.tick()
    const { puzzle, run, progress } = this
    if (!puzzle || this.over) return
    this.change = progress.add(this.#tried(puzzle, solved))
    this.met = [...this.met, { puzzle: puzzle.id, solved }]
    if (!run) return
    const now = afterPuzzle(run, solved, this.clock)
    this.#keep(now)
    progress.reach(now.mode, solvedIn(now))
  }

  #tried({ id, rating }: Puzzle, solved: boolean): Omit<TryRecord, 'at'> {
    const { mode } = this.route
    const how: Mode = mode === 'one' ? 'strength' : mode
    return { puzzle: id, solved, mode: how, rating, ...(mode === 'day' && { day: this.day }) }
  }

  /** The puzzle on the board was solved, if not by the first try: for a day that is enough. */
  finished(): void {
    if (!this.puzzle) return
    this.progress.solveLater(this.puzzle.id)
    if (this.route.mode === 'day') this.progress.add(this.#tried(this.puzzle, true))
    this.#remember(undefined)
  }

  /** The next one, where there are more. */
  next(): void {
    const next = this.#choose()
    if (this.run) this.#keep(withNextPuzzle(this.run, next?.id ?? null))
    this.#show(next)
  }

  /** End a run before its time. */
  giveUp(): void {
    if (this.run) this.#keep(withNextPuzzle(this.run, null))
  }
}
