/**
 * The player's progress at puzzles: the tries, and what follows from them. Stored in the browser, the same in every
 * tab; of account holders, the server's standing and the tries not yet submitted.
 */
import { type KeyValueStorage, safeLocalStorage } from '../../browser/storage'
import { StoredValue } from '../../browser/storedValue.svelte'
import { afterTry, afterPause, NEWCOMER, type Rating } from './glicko'

export type Mode = 'strength' | 'theme' | 'streak' | 'rush' | 'day'
const MODES: readonly unknown[] = ['strength', 'theme', 'streak', 'rush', 'day'] satisfies Mode[]
/** Modes that change no rating, here and on the server: a run is for its own score. */
const UNRATED: readonly Mode[] = ['streak', 'rush']

/** A try of a puzzle. */
export interface TryRecord {
  readonly puzzle: string
  readonly solved: boolean
  /** When, as 2026-11-17T12:00:00.000Z. */
  readonly at: string
  readonly mode: Mode
  /** The puzzle's rating at that time. */
  readonly rating: number
  /** Of a daily puzzle: its day. */
  readonly day?: string
}

/** The standing as the server sent it. */
export interface ServerProgress {
  readonly rating: number
  readonly deviation: number
  /** Whether the first try solved it, by puzzle. */
  readonly tried: Readonly<Record<string, boolean>>
  readonly days: readonly string[]
  /** When it was sent. */
  readonly at: string
}

interface StoredProgress {
  /** The owner's account id; null without an account. */
  readonly owner: string | null
  readonly known: ServerProgress | null
  /** Tries not yet submitted, in order. */
  readonly tries: readonly TryRecord[]
  /** Puzzles that were solved, but not by the first try. */
  readonly later: readonly string[]
  readonly streak: number
  readonly rush: number
}

const EMPTY: StoredProgress = { owner: null, known: null, tries: [], later: [], streak: 0, rush: 0 }
const KEY = 'punct.puzzles'

/** What follows from stored progress. */
interface Figures {
  readonly rating: Rating
  /** When the rating was calculated. */
  readonly at: number
  /** Whether the first try solved it, by puzzle. */
  readonly tried: ReadonlyMap<string, boolean>
  readonly days: ReadonlySet<string>
}

function figuresOf({ known, tries }: StoredProgress): Figures {
  const tried = new Map(Object.entries(known?.tried ?? {}))
  const days = new Set(known?.days)
  let rating: Rating = { ...NEWCOMER, ...(known && { rating: known.rating, deviation: known.deviation }) }
  let at = known ? Date.parse(known.at) : NaN
  for (const entry of tries) {
    if (entry.solved && entry.day) days.add(entry.day)
    if (tried.has(entry.puzzle)) continue
    tried.set(entry.puzzle, entry.solved)
    if (UNRATED.includes(entry.mode)) continue
    const time = Date.parse(entry.at)
    rating = afterTry(afterPause(rating, time - at || 0), entry.rating, entry.solved)
    at = time
  }
  return { rating, at, tried, days }
}

export class PuzzleProgress {
  /** With its derived figures: the object outlives every page, so it cannot use effects. */
  #state: { readonly stored: StoredProgress; readonly figures: Figures } = $state.raw({
    stored: EMPTY,
    figures: figuresOf(EMPTY),
  })
  /** Whether the browser stores it. */
  #isStored = true
  readonly #storedValue: StoredValue<StoredProgress>

  constructor(
    readonly storage: KeyValueStorage = safeLocalStorage,
    readonly now: () => number = Date.now,
  ) {
    this.#storedValue = new StoredValue(KEY, parseProgress, storage)
    this.read()
  }

  get #stored(): StoredProgress {
    return this.#state.stored
  }

  get #figures(): Figures {
    return this.#state.figures
  }

  #set(stored: StoredProgress): void {
    this.#state = { stored, figures: figuresOf(stored) }
  }

  /** Whether the stored progress could not be read. */
  get isBroken(): boolean {
    return this.#storedValue.isBroken
  }

  /** Read the stored progress, by another tab's write too. */
  read(): void {
    // Progress that could not be stored exists here alone.
    const stored = this.#isStored ? this.#storedValue.read() : null
    if (stored) this.#set(stored)
  }

  /** The rating, with the deviation as it is now. */
  get rating(): Rating {
    const { rating, at } = this.#figures
    return afterPause(rating, this.now() - at || 0)
  }

  /** The number of puzzles tried; and of those solved by the first try. */
  get tries(): number {
    return this.#figures.tried.size
  }

  get solved(): number {
    return [...this.#figures.tried.values()].filter(Boolean).length
  }

  get bestStreak(): number {
    return this.#stored.streak
  }

  get bestRush(): number {
    return this.#stored.rush
  }

  /** The days whose puzzle was solved. */
  get days(): ReadonlySet<string> {
    return this.#figures.days
  }

  /** The tries not yet submitted. */
  get pendingTries(): readonly TryRecord[] {
    return this.#stored.tries
  }

  /** The owner's account id. */
  get owner(): string | null {
    return this.#stored.owner
  }

  /** The result of a puzzle so far: solved counts however often it was tried. */
  resultOf(puzzle: string): 'new' | 'failed' | 'solved' {
    const isSolvedAtFirst = this.#figures.tried.get(puzzle)
    if (isSolvedAtFirst === undefined) return 'new'
    return isSolvedAtFirst || this.#stored.later.includes(puzzle) ? 'solved' : 'failed'
  }

  /** Store a try. Returns the change of the rating; null where the puzzle was tried before, or in a run. */
  add(entry: Omit<TryRecord, 'at'>): number | null {
    const previous = this.#figures
    const isFirst = !previous.tried.has(entry.puzzle)
    const previousRating = this.rating.rating
    const isNewDay = entry.day !== undefined && entry.solved && !previous.days.has(entry.day)
    if (isFirst || isNewDay) {
      const at = new Date(this.now()).toISOString()
      this.#change((stored) => ({ ...stored, tries: [...stored.tries, { ...entry, at }] }))
    }
    return isFirst && !UNRATED.includes(entry.mode) ? Math.round(this.rating.rating) - Math.round(previousRating) : null
  }

  /** Store that a puzzle was solved after a failed first try. */
  addLateSolve(puzzle: string): void {
    if (this.resultOf(puzzle) === 'failed')
      this.#change((stored) => ({ ...stored, later: [...new Set([...stored.later, puzzle])] }))
  }

  /** Store the number solved in a streak or rush, if it is the best. */
  raiseBest(mode: 'streak' | 'rush', solved: number): void {
    this.read()
    if (solved > this.#stored[mode]) this.#change((stored) => ({ ...stored, [mode]: solved }))
  }

  /**
   * Switch to the account of whoever is logged in, or to none. Tries without an account belong to the first account
   * that logs in; those of an account wait for it.
   */
  setOwner(owner: string | null): void {
    this.read()
    const previous = this.#stored
    if (previous.owner === owner) return
    const ownStored = this.#storedValueOf(owner)?.read() ?? EMPTY
    if (previous.owner) this.#storedValueOf(previous.owner)?.write({ ...previous, known: null })
    this.#storedValueOf(owner)?.clear()
    const inherited = previous.owner ? [] : previous.tries
    const base = previous.owner ? ownStored : { ...ownStored, later: [...ownStored.later, ...previous.later] }
    this.#write({
      ...base,
      owner,
      tries: [...ownStored.tries, ...inherited],
      streak: Math.max(ownStored.streak, previous.owner ? 0 : previous.streak),
      rush: Math.max(ownStored.rush, previous.owner ? 0 : previous.rush),
    })
  }

  #storedValueOf(owner: string | null): StoredValue<StoredProgress> | null {
    return owner ? new StoredValue(`${KEY}.${owner}`, parseProgress, this.storage) : null
  }

  /** Apply the server's standing, and remove the tries that it has. */
  applyStanding(
    standing: ServerProgress,
    submitted: readonly TryRecord[],
    bests: { readonly streak: number; readonly rush: number },
  ): void {
    const submittedKeys = new Set(submitted.map(keyOf))
    this.#change((stored) => ({
      ...stored,
      known: standing,
      tries: stored.tries.filter((entry) => !submittedKeys.has(keyOf(entry))),
      streak: Math.max(stored.streak, bests.streak),
      rush: Math.max(stored.rush, bests.rush),
    }))
  }

  /** Change the stored progress, whichever tab wrote it last. */
  #change(update: (stored: StoredProgress) => StoredProgress): void {
    this.read()
    this.#write(update(this.#stored))
  }

  #write(stored: StoredProgress): void {
    this.#set(stored)
    this.#isStored = this.#storedValue.write(stored)
  }
}

const keyOf = ({ puzzle, at }: TryRecord): string => `${puzzle} ${at}`

type Raw = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isDate = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value))
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isTextArray = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function isTryRecord(value: unknown): value is TryRecord {
  if (!isObject(value) || !isText(value['puzzle']) || typeof value['solved'] !== 'boolean') return false
  const { at, mode, rating, day } = value
  return isDate(at) && MODES.includes(mode) && Number.isFinite(rating) && (day === undefined || isDate(day))
}

function isServerProgress(value: unknown): value is ServerProgress {
  if (!isObject(value) || !isObject(value['tried']) || !isTextArray(value['days']) || !isDate(value['at'])) return false
  const areFlags = Object.values(value['tried']).every((solved) => typeof solved === 'boolean')
  return areFlags && Number.isFinite(value['rating']) && Number(value['deviation']) > 0
}

function parseProgress(value: unknown): StoredProgress | null {
  if (!isObject(value)) return null
  const { owner, known, tries, later, streak, rush } = value
  const isValid =
    (owner === null || isText(owner)) &&
    (known === null || isServerProgress(known)) &&
    Array.isArray(tries) &&
    tries.every(isTryRecord) &&
    isTextArray(later) &&
    isCount(streak) &&
    isCount(rush)
  return isValid ? (value as unknown as StoredProgress) : null
}

let shared: PuzzleProgress | undefined

/** The progress in this browser. */
export function puzzleProgress(): PuzzleProgress {
  shared ??= new PuzzleProgress()
  return shared
}
