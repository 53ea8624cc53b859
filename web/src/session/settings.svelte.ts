/**
 * The player's settings: reactive, stored in the browser, validated when read, so that old or broken data does no harm.
 */
import { readJson, safeLocalStorage, type StorageReader, type StorageWriter, writeJson } from '../browser/storage'

export interface Settings {
  /** A move is drawn as a ghost until it is confirmed; if off, one tap plays it. */
  confirm: boolean
  /** Highlight the spaces a selected piece may go to. */
  hints: boolean
  /** Warn when somebody could connect with the next move. */
  threats: boolean
  /** Against the computer: ask before a move that gives much away, and review the game afterwards. */
  coach: boolean
  /** Show the three pairs of opposite sides. */
  sides: boolean
  sounds: boolean
  coordinates: boolean
  tilted: boolean
  flipped: boolean
  /** The move list is written in words. */
  words: boolean
  /** Show the opponent's greetings. */
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
  return validate(readJson(storage, KEY))
}

/** The valid settings of a stored object; defaults for the rest. */
function validate(stored: Readonly<Record<string, unknown>>): Settings {
  const settings = { ...DEFAULTS }
  for (const name of SWITCHES) {
    const value = stored[name]
    if (typeof value === 'boolean') settings[name] = value
  }
  if (THEMES.includes(stored['theme'])) settings.theme = stored['theme'] as Settings['theme']
  return settings
}

export function writeSettings(storage: StorageWriter, settings: Settings): void {
  writeJson(storage, KEY, settings)
}

export const settings: Settings = $state(readSettings(safeLocalStorage))

/** Apply settings that another device of the player has stored. */
export function applySettings(stored: Readonly<Record<string, unknown>>): void {
  Object.assign(settings, validate(stored))
}

/** Store the settings whenever they change; called once by the page. */
export function persistSettings(): void {
  $effect.root(() => {
    $effect(() => writeSettings(safeLocalStorage, { ...settings }))
  })
}
