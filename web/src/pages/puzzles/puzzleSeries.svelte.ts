/** Puzzles one after the other, in one of the modes; each result is stored at once. */
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../../browser/storage'
import { type Puzzle, puzzleOfTheDay } from './collection'
import type { Mode, PuzzleProgress, TryRecord } from './puzzleProgress.svelte'
import {
  withResult,
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

/** The mode, or a single puzzle. */
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

/** The date, the same for everybody. */
export function today(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

const KEY = 'punct.puzzles.now'

export interface SeriesContext {
  /** Storage that lasts as long as the tab. */
  readonly storage: StorageReader & StorageWriter
  readonly now: () => number
  readonly random: () => number
}

export class PuzzleSeries {
  /** The puzzle on the board; null where there is none. */
  puzzle: Puzzle | null = $state.raw(null)
  /** Grows with each puzzle put on the board, be it the same one again. */
  round = $state(0)
  run: Run | null = $state.raw(null)
  /** The change of the rating by the last puzzle; null where it did not count. */
  change: number | null = $state(null)
  /** Whether the puzzle on the board was tried before. */
  isKnown = $state(false)
  /** The results since the page was opened. */
  results: readonly PuzzleResult[] = $state.raw([])
  /** The time of the last tick. */
  clock: number = $state(0)
  /** The date of the daily puzzle. */
  readonly day: string
  /** The puzzles of the previous run: no two begin alike. */
  #previousIds: ReadonlySet<string> = new Set()

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

  /** The puzzles to select from. */
  get subjectPuzzles(): readonly Puzzle[] {
    const { route, progress } = this
    if (route.mode !== 'theme') return this.puzzles
    const { subject } = route
    return this.puzzles.filter((puzzle) =>
      subject === MISSED ? progress.resultOf(puzzle.id) === 'failed' : isAbout(puzzle, subject),
    )
  }

  /** Whether a run is over; false where none has begun. */
  get isOver(): boolean {
    return this.run !== null && isOver(this.run, this.clock)
  }

  /** Whether the run is the best so far. */
  get isBest(): boolean {
    return this.run !== null && isBest(this.run)
  }

  /** Update the clock. */
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
    const target = run ? targetRating(solvedIn(run)) : progress.rating.rating
    const excluded = new Set([...(run ? puzzleIdsIn(run) : []), ...(this.puzzle ? [this.puzzle.id] : [])])
    const priorResult = ({ id }: Puzzle): ReturnType<PuzzleProgress['resultOf']> => progress.resultOf(id)
    const count = run ? run.met.length : route.mode === 'strength' ? progress.tries : Infinity
    const beginners = beginnerPuzzles(this.subjectPuzzles, count)
    const { random } = this.context
    return (
      choosePuzzle(beginners, target, priorResult, new Set([...excluded, ...this.#previousIds]), random) ??
      choosePuzzle(this.subjectPuzzles, target, priorResult, excluded, random)
    )
  }

  #show(puzzle: Puzzle | null): void {
    this.puzzle = puzzle
    this.round += 1
    this.change = null
    this.isKnown = puzzle !== null && this.progress.resultOf(puzzle.id) !== 'new'
    this.#storePuzzle(puzzle?.id)
  }

  /** Store the puzzle, so that the same one is there after a reload. */
  #storePuzzle(id: string | undefined): void {
    const { storage } = this.context
    if (this.route.mode === 'strength' || this.route.mode === 'theme')
      writeJson(storage, KEY, { ...readJson(storage, KEY), [this.id]: id })
  }

  /** Resume a run that a reload has interrupted. */
  #resume(mode: RunMode): void {
    const run = readRun(this.context.storage, mode)
    const puzzle = this.#find(run?.now)
    if (run && puzzle && !isOver(run, this.context.now())) {
      this.run = run
      this.#show(puzzle)
      // A puzzle decided before the reload is not to be solved again.
      if (isDecided(run)) this.next()
    } else if (mode === 'streak') this.start()
  }

  /** Start a run. */
  start(): void {
    const { mode } = this.route
    if (mode !== 'streak' && mode !== 'rush') return
    this.tick()
    this.puzzle = null
    const previousRun = this.run ?? readRun(this.context.storage, mode)
    this.#previousIds = new Set(previousRun ? puzzleIdsIn(previousRun) : [])
    const { bestStreak, bestRush } = this.progress
    const emptyRun = newRun(mode, this.clock, mode === 'rush' ? bestRush : bestStreak)
    this.run = emptyRun
    const first = this.#choose()
    this.#storeRun(withNextPuzzle(emptyRun, first?.id ?? null))
    this.#show(first)
  }

  #storeRun(run: Run): void {
    this.run = run
    writeRun(this.context.storage, run)
  }

  /** Store whether the first try has solved the puzzle on the board. */
  storeResult(solved: boolean): void {
    this.tick()
    const { puzzle, run, progress } = this
    if (!puzzle || this.isOver) return
    this.change = progress.add(this.#newTry(puzzle, solved))
    this.results = [...this.results, { puzzle: puzzle.id, solved }]
    if (!run) return
    const nextRun = withResult(run, solved, this.clock)
    this.#storeRun(nextRun)
    progress.raiseBest(nextRun.mode, solvedIn(nextRun))
  }

  #newTry({ id, rating }: Puzzle, solved: boolean): Omit<TryRecord, 'at'> {
    const { mode } = this.route
    const tryMode: Mode = mode === 'one' ? 'strength' : mode
    return { puzzle: id, solved, mode: tryMode, rating, ...(mode === 'day' && { day: this.day }) }
  }

  /** Store that the puzzle on the board was solved, if not by the first try: for a daily puzzle that is enough. */
  storeSolved(): void {
    if (!this.puzzle) return
    this.progress.addLateSolve(this.puzzle.id)
    if (this.route.mode === 'day') this.progress.add(this.#newTry(this.puzzle, true))
    this.#storePuzzle(undefined)
  }

  /** Show the next puzzle, where there are more. */
  next(): void {
    const next = this.#choose()
    if (this.run) this.#storeRun(withNextPuzzle(this.run, next?.id ?? null))
    this.#show(next)
  }

  /** End a run early. */
  giveUp(): void {
    if (this.run) this.#storeRun(withNextPuzzle(this.run, null))
  }
}
