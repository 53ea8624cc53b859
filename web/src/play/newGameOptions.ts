/** The game somebody wants to begin; the last wishes are offered again. */
import type { NewGame } from '../api/model'
import { readJson, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'

export interface NewGameOptions {
  /** `somebody` is to be found where people meet. */
  opponent: 'computer' | 'person' | 'somebody'
  level: number
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  /** What the two at one screen are called; empty for whoever does not say. */
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
const HIGHEST = 8
/** As long as the server allows. */
export const MAX_NAME_LENGTH = 60

/** The wishes noted last; what is missing or broken is as the first time. Somebody is wished for where people meet. */
export function loadOptions(storage: StorageReader, meet = false): NewGameOptions {
  const options = {
    ...DEFAULT_OPTIONS,
    names: { ...DEFAULT_OPTIONS.names },
    ...(meet ? { opponent: 'somebody' as const } : {}),
  }
  const { opponent, colour, rules, level, names } = readJson(storage, KEY) as Partial<NewGameOptions>
  if (opponent && CHOICES.opponent.includes(opponent) && (meet || opponent !== 'somebody')) options.opponent = opponent
  if (colour && CHOICES.colour.includes(colour)) options.colour = colour
  if (rules && CHOICES.rules.includes(rules)) options.rules = rules
  if (Number.isInteger(level) && Number(level) >= 1 && Number(level) <= HIGHEST) options.level = Number(level)
  for (const colour of ['w', 'b'] as const) {
    const name: unknown = names?.[colour]
    if (typeof name === 'string') options.names[colour] = name.slice(0, MAX_NAME_LENGTH)
  }
  return options
}

export function saveOptions(storage: StorageWriter, options: NewGameOptions): void {
  writeJson(storage, KEY, options)
}

/** The seats these wishes ask for; `lot` is a number from 0 up to 1 that decides where the colour is left to chance. */
export function seatsFor(
  { opponent, level, colour, names }: NewGameOptions,
  lot: number,
): NonNullable<NewGame['seats']> {
  const person = { type: 'person' } as const
  if (opponent === 'person') {
    const named = (colour: 'w' | 'b') => ({ ...person, name: names[colour].trim() || null })
    return { w: named('w'), b: named('b') }
  }
  const engine = { type: 'engine', level } as const
  const white = colour === 'lot' ? lot < 0.5 : colour === 'w'
  return white ? { w: person, b: engine } : { w: engine, b: person }
}
