/**
 * Texts in the player's language. A message is a text with `{placeholders}`, or one text for each plural form, selected
 * by the number in `{n}`. The language is loaded on demand; until then texts are English.
 */
import { Latest, STALE } from '../requests/latest'
import type about from './about/en.json'
import type account from './account/en.json'
import type analysis from './analysis/en.json'
import type away from './away/en.json'
import type coach from './coach/en.json'
import type desk from './desk/en.json'
import type games from './games/en.json'
import { type Language, LANGUAGES } from './languages'
import type lessons from './lessons/en.json'
import en from './messages/en.json'
import type people from './people/en.json'
import type puzzles from './puzzles/en.json'
import type rules from './rules/en.json'

export type MessageKey = keyof (typeof en &
  typeof about &
  typeof account &
  typeof analysis &
  typeof away &
  typeof coach &
  typeof desk &
  typeof games &
  typeof lessons &
  typeof people &
  typeof puzzles &
  typeof rules)
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Messages = Record<string, Message>
export type Values = Record<string, string | number>

const loaders = import.meta.glob<{ default: Messages }>(['./messages/*.json', '!./messages/en.json'])
/** Texts of some pages only: each chapter is loaded with the first of them. */
export type Chapter =
  'about' | 'account' | 'analysis' | 'away' | 'coach' | 'desk' | 'games' | 'lessons' | 'people' | 'puzzles' | 'rules'
const chapters = import.meta.glob<{ default: Messages }>(
  './{about,account,analysis,away,coach,desk,games,lessons,people,puzzles,rules}/*.json',
)
const openChapters = new Set<Chapter>()

interface LoadedLanguage {
  readonly language: Language
  readonly messages: Messages
}

let current = $state.raw<LoadedLanguage>({ language: 'en', messages: en })

// Created once for each language: a board names 211 spaces at a time.
const plurals = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()
const percentages = new Map<string, Intl.NumberFormat>()

/** Names in such scripts would reverse the sentence around them, unless isolated. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = [0x2068, 0x2069].map((code) => String.fromCodePoint(code))

function cached<T>(cache: Map<string, T>, language: string, make: () => T): T {
  const value = cache.get(language) ?? make()
  cache.set(language, value)
  return value
}

/** Fill in a message's placeholders; exported for the tests. */
export function format(language: string, message: Message, values: Values = {}): string {
  let text: string
  if (typeof message === 'string') text = message
  else {
    const rules = cached(plurals, language, () => new Intl.PluralRules(language))
    const form = rules.select(Number(values['n'] ?? 0))
    text = message[form] ?? message.other ?? ''
  }
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    if (typeof value === 'string') return RIGHT_TO_LEFT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value
    return cached(numbers, language, () => new Intl.NumberFormat(language)).format(value)
  })
}

/** The text for a key, in the current language. */
export function t(key: MessageKey, values?: Values): string {
  return format(current.language, current.messages[key] ?? (en as Messages)[key] ?? '', values)
}

/** The same for a computed key, such as a reason's; the fallback if there is no such message. */
export function tOr(key: string, fallback: string, values?: Values): string {
  const message = current.messages[key] ?? (en as Messages)[key]
  return message === undefined ? fallback : format(current.language, message, values)
}

/** A fraction in whole percent, as the language writes it: 55% in one, 55 % in another. */
export function percentage(share: number): string {
  const code = current.language
  const style = cached(percentages, code, () => new Intl.NumberFormat(code, { style: 'percent' }))
  // Rounded like the numbers within messages: half a percent must not be one more here than there.
  return style.format(Math.round(100 * share) / 100)
}

export function language(): Language {
  return current.language
}

/** The language requested last: current as soon as it is loaded. */
let requestedLanguage: Language = 'en'
const requests = new Latest()
/** The newest load. */
let pendingLoad: Promise<void> = Promise.resolve()

/** Switch to a language; the document's language follows, for screen readers and hyphenation. */
export function setLanguage(next: Language): Promise<void> {
  pendingLoad = load(next)
  return pendingLoad
}

/** Load a language and switch to it; if another one is requested meanwhile, wait for that one. */
async function load(next: Language): Promise<void> {
  requestedLanguage = next
  try {
    const messages = await requests.run(() => messagesOf(next))
    if (messages === STALE) return await pendingLoad
    current = { language: next, messages }
    document.documentElement.lang = next
  } catch (error) {
    requestedLanguage = current.language
    throw error
  }
}

async function messagesOf(next: Language): Promise<Messages> {
  const messages = next === 'en' ? en : ((await loaders[`./messages/${next}.json`]?.())?.default ?? en)
  const chapterMessages = await Promise.all(
    [...openChapters].map((chapter) => chapters[`./${chapter}/${next}.json`]?.()),
  )
  return Object.assign({}, messages, ...chapterMessages.map((chapter) => chapter?.default)) as Messages
}

/** Load a chapter's texts too, now and with every later language. */
export async function openChapter(chapter: Chapter): Promise<void> {
  // It may have been opened elsewhere, and still be loading.
  if (openChapters.has(chapter)) return pendingLoad.catch(() => undefined)
  openChapters.add(chapter)
  try {
    await setLanguage(requestedLanguage)
  } catch (error) {
    openChapters.delete(chapter)
    throw error
  }
}

/** The best of our languages for a browser's list. */
export function preferredLanguage(codes: readonly string[]): Language {
  for (const wish of codes) {
    const match = LANGUAGES.find(({ code }) => wish.toLowerCase().split('-')[0] === code)
    if (match) return match.code
  }
  return 'en'
}
