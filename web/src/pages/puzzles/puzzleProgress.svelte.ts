/**
 * How one stands at puzzles: what was tried, and what follows from it. Kept in the browser, in every tab the same; of
 * whoever has an account, that is what the server last said, and what it has not been told yet.
 */
import { type KeyValueStorage, safeLocalStorage } from '../../browser/storage'
import { StoredValue } from '../../browser/storedValue.svelte'
import { afterTry, aged, NEWCOMER, type Rating } from './glicko'

export type Mode = 'strength' | 'theme' | 'streak' | 'rush' | 'day'
const MODES: readonly unknown[] = ['strength', 'theme', 'streak', 'rush', 'day'] satisfies Mode[]
/** Ways to try puzzles that change no rating, here and on the server: a run is for its own score. */
const UNRATED: readonly Mode[] = ['streak', 'rush']

/** A puzzle was tried. */
export interface TryRecord {
  readonly puzzle: string
  readonly solved: boolean
  /** When, as 2026-11-17T12:00:00.000Z. */
  readonly at: string
  readonly mode: Mode
  /** How hard the puzzle was said to be. */
  readonly rating: number
  /** Of a day's puzzle: whose it was. */
  readonly day?: string
}

/** What the server said. */
export interface ServerProgress {
  readonly rating: number
  readonly deviation: number
  /** Whether the first try solved it, by puzzle. */
  readonly tried: Readonly<Record<string, boolean>>
  readonly days: readonly string[]
  /** When it said so. */
  readonly at: string
}

interface StoredProgress {
  /** Whose it is, by the id of their account; null where nobody has one. */
  readonly owner: string | null
  readonly known: ServerProgress | null
  /** What the server does not know of, the first one first. */
  readonly tries: readonly TryRecord[]
  /** Puzzles that were solved, but not by the first try. */
  readonly later: readonly string[]
  readonly streak: number
  readonly rush: number
}

const BLANK: StoredProgress = { owner: null, known: null, tries: [], later: [], streak: 0, rush: 0 }
const KEY = 'punct.puzzles'

/** What follows from a note. */
interface Figures {
  readonly rating: Rating
  /** When that was so. */
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
  for (const one of tries) {
    if (one.solved && one.day) days.add(one.day)
    if (tried.has(one.puzzle)) continue
    tried.set(one.puzzle, one.solved)
    if (UNRATED.includes(one.mode)) continue
    const now = Date.parse(one.at)
    rating = afterTry(aged(rating, now - at || 0), one.rating, one.solved)
    at = now
  }
  return { rating, at, tried, days }
}

export class PuzzleProgress {
  /** With what follows from it: it outlives every page, so nothing may be derived on one's behalf. */
  #now: { readonly noted: StoredProgress; readonly figures: Figures } = $state.raw({
    noted: BLANK,
    figures: figuresOf(BLANK),
  })
  /** Whether the browser keeps it. */
  #kept = true
  readonly #note: StoredValue<StoredProgress>

  constructor(
    readonly storage: KeyValueStorage = safeLocalStorage,
    readonly now: () => number = Date.now,
  ) {
    this.#note = new StoredValue(KEY, sense, storage)
    this.read()
  }

  get #noted(): StoredProgress {
    return this.#now.noted
  }

  get #figures(): Figures {
    return this.#now.figures
  }

  #set(noted: StoredProgress): void {
    this.#now = { noted, figures: figuresOf(noted) }
  }

  /** The note that was here could not be read. */
  get broken(): boolean {
    return this.#note.isBroken
  }

  /** Take in what was noted, by another tab too. */
  read(): void {
    // What could not be written down is known here alone.
    const noted = this.#kept ? this.#note.read() : null
    if (noted) this.#set(noted)
  }

  /** As certain as it still is. */
  get rating(): Rating {
    const { rating, at } = this.#figures
    return aged(rating, this.now() - at || 0)
  }

  /** How many puzzles were tried; and how many of them the first try solved. */
  get tries(): number {
    return this.#figures.tried.size
  }

  get solved(): number {
    return [...this.#figures.tried.values()].filter(Boolean).length
  }

  get bestStreak(): number {
    return this.#noted.streak
  }

  get bestRush(): number {
    return this.#noted.rush
  }

  /** The days whose puzzle was solved. */
  get days(): ReadonlySet<string> {
    return this.#figures.days
  }

  /** What the server does not know of. */
  get owed(): readonly TryRecord[] {
    return this.#noted.tries
  }

  /** Whose standing it is. */
  get owner(): string | null {
    return this.#noted.owner
  }

  /** What was done about a puzzle: solved counts however often it was tried. */
  before(puzzle: string): 'new' | 'failed' | 'solved' {
    const first = this.#figures.tried.get(puzzle)
    if (first === undefined) return 'new'
    return first || this.#noted.later.includes(puzzle) ? 'solved' : 'failed'
  }

  /** Note a try. Returns by how much it changed the rating; null where the puzzle was tried before, or in a run. */
  add(tried: Omit<TryRecord, 'at'>): number | null {
    const before = this.#figures
    const first = !before.tried.has(tried.puzzle)
    const rated = this.rating.rating
    const newDay = tried.day !== undefined && tried.solved && !before.days.has(tried.day)
    if (first || newDay) {
      const at = new Date(this.now()).toISOString()
      this.#change((noted) => ({ ...noted, tries: [...noted.tries, { ...tried, at }] }))
    }
    return first && !UNRATED.includes(tried.mode) ? Math.round(this.rating.rating) - Math.round(rated) : null
  }

  /** A puzzle was solved that was tried in vain before. */
  solveLater(puzzle: string): void {
    if (this.before(puzzle) === 'failed')
      this.#change((noted) => ({ ...noted, later: [...new Set([...noted.later, puzzle])] }))
  }

  /** So many were solved in a row, or against the clock; the most is kept. */
  reach(mode: 'streak' | 'rush', solved: number): void {
    this.read()
    if (solved > this.#noted[mode]) this.#change((noted) => ({ ...noted, [mode]: solved }))
  }

  /**
   * Somebody is here now, by the id of their account, or nobody. What nobody tried belongs to whoever comes first; what
   * somebody tried waits for them.
   */
  become(owner: string | null): void {
    this.read()
    const before = this.#noted
    if (before.owner === owner) return
    const theirs = this.#noteOf(owner)?.read() ?? BLANK
    if (before.owner) this.#noteOf(before.owner)?.write({ ...before, known: null })
    this.#noteOf(owner)?.clear()
    const found = before.owner ? [] : before.tries
    const own = before.owner ? theirs : { ...theirs, later: [...theirs.later, ...before.later] }
    this.#write({
      ...own,
      owner,
      tries: [...theirs.tries, ...found],
      streak: Math.max(theirs.streak, before.owner ? 0 : before.streak),
      rush: Math.max(theirs.rush, before.owner ? 0 : before.rush),
    })
  }

  #noteOf(owner: string | null): StoredValue<StoredProgress> | null {
    return owner ? new StoredValue(`${KEY}.${owner}`, sense, this.storage) : null
  }

  /** The server has taken in some tries, and says how its account holder stands. */
  take(
    known: ServerProgress,
    handed: readonly TryRecord[],
    bests: { readonly streak: number; readonly rush: number },
  ): void {
    const names = new Set(handed.map(nameOf))
    this.#change((noted) => ({
      ...noted,
      known,
      tries: noted.tries.filter((tried) => !names.has(nameOf(tried))),
      streak: Math.max(noted.streak, bests.streak),
      rush: Math.max(noted.rush, bests.rush),
    }))
  }

  /** Change the note as it is now, whoever wrote it last. */
  #change(changed: (noted: StoredProgress) => StoredProgress): void {
    this.read()
    this.#write(changed(this.#noted))
  }

  #write(noted: StoredProgress): void {
    this.#set(noted)
    this.#kept = this.#note.write(noted)
  }
}

const nameOf = ({ puzzle, at }: TryRecord): string => `${puzzle} ${at}`

type Raw = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isDate = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value))
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function isTried(value: unknown): value is TryRecord {
  if (!isObject(value) || !isText(value['puzzle']) || typeof value['solved'] !== 'boolean') return false
  const { at, mode, rating, day } = value
  return isDate(at) && MODES.includes(mode) && Number.isFinite(rating) && (day === undefined || isDate(day))
}

function isKnown(value: unknown): value is ServerProgress {
  if (!isObject(value) || !isObject(value['tried']) || !areTexts(value['days']) || !isDate(value['at'])) return false
  const flags = Object.values(value['tried']).every((solved) => typeof solved === 'boolean')
  return flags && Number.isFinite(value['rating']) && Number(value['deviation']) > 0
}

function sense(noted: unknown): StoredProgress | null {
  if (!isObject(noted)) return null
  const { owner, known, tries, later, streak, rush } = noted
  const sound =
    (owner === null || isText(owner)) &&
    (known === null || isKnown(known)) &&
    Array.isArray(tries) &&
    tries.every(isTried) &&
    areTexts(later) &&
    isCount(streak) &&
    isCount(rush)
  return sound ? (noted as unknown as StoredProgress) : null
}

let shared: PuzzleProgress | undefined

/** The standing in this browser. */
export function puzzleProgress(): PuzzleProgress {
  shared ??= new PuzzleProgress()
  return shared
}
