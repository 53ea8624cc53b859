/** What a player likes: reactive, kept in the browser, checked when read, so that an old or broken note never harms. */
import { readJson, safeLocalStorage, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'

export interface Settings {
  /** A ghost waits to be confirmed; off, one tap plays. */
  confirm: boolean
  /** Light the spaces a chosen piece may go to. */
  hints: boolean
  /** Warn when somebody could connect with the next turn. */
  threats: boolean
  /** Against the computer: ask before a turn that gives much away, and look back afterwards. */
  coach: boolean
  /** Show the three pairs of opposite sides. */
  sides: boolean
  sounds: boolean
  coordinates: boolean
  tilted: boolean
  flipped: boolean
  /** The list of turns is told in words. */
  words: boolean
  /** Show what others wave across the table. */
  greetings: boolean
  theme: 'system' | 'light' | 'dark'
}

export const DEFAULTS: Settings = {
  confirm: true,
  hints: true,
  threats: true,
  coach: false,
  sides: false,
  sounds: true,
  coordinates: true,
  tilted: false,
  flipped: false,
  words: false,
  greetings: true,
  theme: 'system',
}

const KEY = 'punct.settings'
const SWITCHES = [
  'confirm',
  'hints',
  'threats',
  'coach',
  'sides',
  'sounds',
  'coordinates',
  'tilted',
  'flipped',
  'words',
  'greetings',
] as const satisfies readonly (keyof Settings)[]
const THEMES: readonly unknown[] = ['system', 'light', 'dark']

export function readSettings(storage: StorageReader): Settings {
  return checked(readJson(storage, KEY))
}

/** What of a note can be used; the rest is as the first time. */
function checked(noted: Readonly<Record<string, unknown>>): Settings {
  const settings = { ...DEFAULTS }
  for (const name of SWITCHES) {
    const value = noted[name]
    if (typeof value === 'boolean') settings[name] = value
  }
  if (THEMES.includes(noted['theme'])) settings.theme = noted['theme'] as Settings['theme']
  return settings
}

export function writeSettings(storage: StorageWriter, settings: Settings): void {
  writeJson(storage, KEY, settings)
}

export const settings: Settings = $state(readSettings(safeLocalStorage))

/** Take over what was noted elsewhere: by another device of the same player. */
export function applySettings(noted: Readonly<Record<string, unknown>>): void {
  Object.assign(settings, checked(noted))
}

/** Write the settings down whenever they change; called once by the page. */
export function persistSettings(): void {
  $effect.root(() => {
    $effect(() => writeSettings(safeLocalStorage, { ...settings }))
  })
}
