/** Puzzles one after the other, in one of the ways to choose them; what was decided is noted at once. */
import { type Reader, readNote, type Writer, writeNote } from '../../parts/notes'
import { chosen, forBeginning, hardness } from './choosing'
import { type Puzzle, puzzleOfTheDay } from './collection'
import {
  after,
  begin,
  isBest,
  isDecided,
  isOver,
  type Met,
  metIn,
  onward,
  readRun,
  type Run,
  type RunMode,
  solvedIn,
  writeRun,
} from './runs'
import type { Mode, Standing, Tried } from './standing.svelte'
import { isAbout, MISSED, type Subject, SUBJECTS } from './themes'

/** Where one is: a way to choose puzzles, or one puzzle. */
export type Place =
  | { readonly mode: 'strength' | 'day' | RunMode }
  | { readonly mode: 'theme'; readonly subject: Subject | typeof MISSED }
  | { readonly mode: 'one'; readonly puzzle: string }

/** By the end of its address. */
const MODES: Readonly<Record<string, Place>> = {
  day: { mode: 'day' },
  strength: { mode: 'strength' },
  streak: { mode: 'streak' },
  clock: { mode: 'rush' },
}

export function placeOf(id: string): Place {
  const subject = [...SUBJECTS, MISSED as typeof MISSED].find((name) => id === `theme/${name}`)
  if (subject) return { mode: 'theme', subject }
  return MODES[id] ?? { mode: 'one', puzzle: id }
}

/** The day it is, for everybody. */
export function today(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

const KEY = 'punct.puzzles.now'

export interface Means {
  /** What lasts as long as the tab. */
  readonly storage: Reader & Writer
  readonly now: () => number
  readonly chance: () => number
}

export class Session {
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
  met: readonly Met[] = $state.raw([])
  /** The time, as far as it was looked at. */
  clock: number = $state(0)
  /** The day whose puzzle it is. */
  readonly day: string
  /** What was met in the run before this one: no two begin alike. */
  #earlier: ReadonlySet<string> = new Set()

  constructor(
    readonly id: string,
    readonly place: Place,
    readonly puzzles: readonly Puzzle[],
    readonly standing: Standing,
    readonly means: Means,
  ) {
    this.clock = means.now()
    this.day = today(this.clock)
    if (place.mode === 'streak' || place.mode === 'rush') this.#resume(place.mode)
    else this.#show(this.#first())
  }

  /** Those there are to choose from here. */
  get subjectPuzzles(): readonly Puzzle[] {
    const { place, standing } = this
    if (place.mode !== 'theme') return this.puzzles
    const { subject } = place
    return this.puzzles.filter((puzzle) =>
      subject === MISSED ? standing.before(puzzle.id) === 'failed' : isAbout(puzzle, subject),
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
    this.clock = this.means.now()
  }

  #find(id: unknown): Puzzle | null {
    return this.puzzles.find((puzzle) => puzzle.id === id) ?? null
  }

  #first(): Puzzle | null {
    const { place } = this
    if (place.mode === 'one') return this.#find(place.puzzle)
    if (place.mode === 'day') return puzzleOfTheDay(this.puzzles, this.day)
    return this.#find(readNote(this.means.storage, KEY)[this.id]) ?? this.#choose()
  }

  #choose(): Puzzle | null {
    const { run, standing, place } = this
    const wanted = run ? hardness(solvedIn(run)) : standing.rating.rating
    const passed = new Set([...(run ? metIn(run) : []), ...(this.puzzle ? [this.puzzle.id] : [])])
    const before = ({ id }: Puzzle): ReturnType<Standing['before']> => standing.before(id)
    const begun = run ? run.met.length : place.mode === 'strength' ? standing.tries : Infinity
    const some = forBeginning(this.subjectPuzzles, begun)
    const { chance } = this.means
    return (
      chosen(some, wanted, before, new Set([...passed, ...this.#earlier]), chance) ??
      chosen(this.subjectPuzzles, wanted, before, passed, chance)
    )
  }

  #show(puzzle: Puzzle | null): void {
    this.puzzle = puzzle
    this.round += 1
    this.change = null
    this.known = puzzle !== null && this.standing.before(puzzle.id) !== 'new'
    this.#remember(puzzle?.id)
  }

  /** So that the same one is there after a reload. */
  #remember(id: string | undefined): void {
    const { storage } = this.means
    if (this.place.mode === 'strength' || this.place.mode === 'theme')
      writeNote(storage, KEY, { ...readNote(storage, KEY), [this.id]: id })
  }

  /** Go on with a run that a reload has interrupted. */
  #resume(mode: RunMode): void {
    const run = readRun(this.means.storage, mode)
    const puzzle = this.#find(run?.now)
    if (run && puzzle && !isOver(run, this.means.now())) {
      this.run = run
      this.#show(puzzle)
      // What was decided before the reload is not to be solved again.
      if (isDecided(run)) this.next()
    } else if (mode === 'streak') this.start()
  }

  /** Begin a run. */
  start(): void {
    const { mode } = this.place
    if (mode !== 'streak' && mode !== 'rush') return
    this.tick()
    this.puzzle = null
    const earlier = this.run ?? readRun(this.means.storage, mode)
    this.#earlier = new Set(earlier ? metIn(earlier) : [])
    const { bestStreak, bestRush } = this.standing
    const blank = begin(mode, this.clock, mode === 'rush' ? bestRush : bestStreak)
    this.run = blank
    const first = this.#choose()
    this.#keep(onward(blank, first?.id ?? null))
    this.#show(first)
  }

  #keep(run: Run): void {
    this.run = run
    writeRun(this.means.storage, run)
  }

  /** It is known whether the first try solves the puzzle on the board. */
  decided(solved: boolean): void {
    this.tick()
    const { puzzle, run, standing } = this
    if (!puzzle || this.over) return
    this.change = standing.add(this.#tried(puzzle, solved))
    this.met = [...this.met, { puzzle: puzzle.id, solved }]
    if (!run) return
    const now = after(run, solved, this.clock)
    this.#keep(now)
    standing.reach(now.mode, solvedIn(now))
  }

  #tried({ id, rating }: Puzzle, solved: boolean): Omit<Tried, 'at'> {
    const { mode } = this.place
    const how: Mode = mode === 'one' ? 'strength' : mode
    return { puzzle: id, solved, mode: how, rating, ...(mode === 'day' && { day: this.day }) }
  }

  /** The puzzle on the board was solved, if not by the first try: for a day that is enough. */
  finished(): void {
    if (!this.puzzle) return
    this.standing.solveLater(this.puzzle.id)
    if (this.place.mode === 'day') this.standing.add(this.#tried(this.puzzle, true))
    this.#remember(undefined)
  }

  /** The next one, where there are more. */
  next(): void {
    const next = this.#choose()
    if (this.run) this.#keep(onward(this.run, next?.id ?? null))
    this.#show(next)
  }

  /** End a run before its time. */
  giveUp(): void {
    if (this.run) this.#keep(onward(this.run, null))
  }
}
