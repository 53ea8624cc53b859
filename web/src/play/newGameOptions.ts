/** The options of a new game; the last ones are offered again. */
import type { NewGame } from '../api/model'
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'

export interface NewGameOptions {
  /** `somebody`: another person, where people play each other. */
  opponent: 'computer' | 'person' | 'somebody'
  level: number
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  /** The names of the two players at one screen; empty if not entered. */
  names: { w: string; b: string }
}

export const DEFAULT_OPTIONS: NewGameOptions = {
  opponent: 'computer',
  level: 1,
  colour: 'w',
  rules: 'standard',
  names: { w: '', b: '' },
}

const KEY = 'punct.newgame'
const CHOICES: {
  readonly [Name in Exclude<keyof NewGameOptions, 'level' | 'names'>]: readonly NewGameOptions[Name][]
} = {
  opponent: ['computer', 'person', 'somebody'],
  colour: ['w', 'b', 'lot'],
  rules: ['standard', 'basic'],
}
const MAX_LEVEL = 8
/** The server's limit. */
export const MAX_NAME_LENGTH = 60

/** The stored options; defaults for what is missing or broken. `isOnline` where people play each other. */
export function loadOptions(storage: StorageReader, isOnline = false): NewGameOptions {
  const options = {
    ...DEFAULT_OPTIONS,
    names: { ...DEFAULT_OPTIONS.names },
    ...(isOnline ? { opponent: 'somebody' as const } : {}),
  }
  const { opponent, colour, rules, level, names } = readJson(storage, KEY) as Partial<NewGameOptions>
  if (opponent && CHOICES.opponent.includes(opponent) && (isOnline || opponent !== 'somebody'))
    options.opponent = opponent
  if (colour && CHOICES.colour.includes(colour)) options.colour = colour
  if (rules && CHOICES.rules.includes(rules)) options.rules = rules
  if (Number.isInteger(level) && Number(level) >= 1 && Number(level) <= MAX_LEVEL) options.level = Number(level)
  for (const colour of ['w', 'b'] as const) {
    const name: unknown = names?.[colour]
    if (typeof name === 'string') options.names[colour] = name.slice(0, MAX_NAME_LENGTH)
  }
  return options
}

export function saveOptions(storage: StorageWriter, options: NewGameOptions): void {
  writeJson(storage, KEY, options)
}

/** The seats for these options; `random`, from 0 up to 1, decides where the colour is left to chance. */
export function seatsFor(
  { opponent, level, colour, names }: NewGameOptions,
  random: number,
): NonNullable<NewGame['seats']> {
  const person = { type: 'person' } as const
  if (opponent === 'person') {
    const personNamed = (colour: 'w' | 'b') => ({ ...person, name: names[colour].trim() || null })
    return { w: personNamed('w'), b: personNamed('b') }
  }
  const engine = { type: 'engine', level } as const
  const isWhite = colour === 'lot' ? random < 0.5 : colour === 'w'
  return isWhite ? { w: person, b: engine } : { w: engine, b: person }
}
