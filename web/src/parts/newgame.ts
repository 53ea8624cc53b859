/** The game somebody wants to begin; the last wishes are offered again. */
import type { NewGame } from '../net/model'
import { type Reader, readNote, type Writer, writeNote } from './notes'

export interface Wishes {
  /** `somebody` is to be found where people meet. */
  opponent: 'computer' | 'person' | 'somebody'
  level: number
  colour: 'w' | 'b' | 'lot'
  rules: 'standard' | 'basic'
  /** What the two at one screen are called; empty for whoever does not say. */
  names: { w: string; b: string }
}

export const FIRST: Wishes = { opponent: 'computer', level: 1, colour: 'w', rules: 'standard', names: { w: '', b: '' } }

const KEY = 'punct.newgame'
const CHOICES: { readonly [Name in Exclude<keyof Wishes, 'level' | 'names'>]: readonly Wishes[Name][] } = {
  opponent: ['computer', 'person', 'somebody'],
  colour: ['w', 'b', 'lot'],
  rules: ['standard', 'basic'],
}
const HIGHEST = 8
/** As long as the server allows. */
export const LONGEST_NAME = 60

/** The wishes noted last; what is missing or broken is as the first time. Somebody is wished for where people meet. */
export function readWishes(storage: Reader, meet = false): Wishes {
  const wishes = { ...FIRST, names: { ...FIRST.names }, ...(meet ? { opponent: 'somebody' as const } : {}) }
  const { opponent, colour, rules, level, names } = readNote(storage, KEY) as Partial<Wishes>
  if (opponent && CHOICES.opponent.includes(opponent) && (meet || opponent !== 'somebody')) wishes.opponent = opponent
  if (colour && CHOICES.colour.includes(colour)) wishes.colour = colour
  if (rules && CHOICES.rules.includes(rules)) wishes.rules = rules
  if (Number.isInteger(level) && Number(level) >= 1 && Number(level) <= HIGHEST) wishes.level = Number(level)
  for (const colour of ['w', 'b'] as const) {
    const name: unknown = names?.[colour]
    if (typeof name === 'string') wishes.names[colour] = name.slice(0, LONGEST_NAME)
  }
  return wishes
}

export function writeWishes(storage: Writer, wishes: Wishes): void {
  writeNote(storage, KEY, wishes)
}

/** The seats these wishes ask for; `lot` is a number from 0 up to 1 that decides where the colour is left to chance. */
export function seatsFor({ opponent, level, colour, names }: Wishes, lot: number): NonNullable<NewGame['seats']> {
  const person = { type: 'person' } as const
  if (opponent === 'person') {
    const named = (colour: 'w' | 'b') => ({ ...person, name: names[colour].trim() || null })
    return { w: named('w'), b: named('b') }
  }
  const engine = { type: 'engine', level } as const
  const white = colour === 'lot' ? lot < 0.5 : colour === 'w'
  return white ? { w: person, b: engine } : { w: engine, b: person }
}
