/**
 * Texts in the player's language. A message is a text with `{places}`, or one text for each plural form, chosen by
 * the number in `{n}`. The language is loaded on demand; English stands in until it is there.
 */
import { Latest, STALE } from '../requests/latest'
import type coach from './coach/en.json'
import { type Language, LANGUAGES } from './languages'
import type lessons from './lessons/en.json'
import en from './messages/en.json'
import type puzzles from './puzzles/en.json'
import type rules from './rules/en.json'

export type MessageKey = keyof (typeof en & typeof lessons & typeof puzzles & typeof coach & typeof rules)
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Messages = Record<string, Message>
export type Values = Record<string, string | number>

const loaders = import.meta.glob<{ default: Messages }>(['./messages/*.json', '!./messages/en.json'])
/** What only some pages say: each chapter is loaded with the first of them. */
export type Chapter = 'lessons' | 'puzzles' | 'coach' | 'rules'
const chapters = import.meta.glob<{ default: Messages }>('./{lessons,puzzles,coach,rules}/*.json')
const opened = new Set<Chapter>()

interface Spoken {
  readonly language: Language
  readonly messages: Messages
}

let current = $state.raw<Spoken>({ language: 'en', messages: en })

// Made once for each language: a board names 211 spaces at a time.
const plurals = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()
const percentages = new Map<string, Intl.NumberFormat>()

/** A name in such letters would turn the sentence around that it stands in, unless it is kept to itself. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = [0x2068, 0x2069].map((code) => String.fromCodePoint(code))

function remembered<T>(made: Map<string, T>, language: string, make: () => T): T {
  const found = made.get(language) ?? make()
  made.set(language, found)
  return found
}

/** Fill a message's places; exported for the tests. */
export function format(language: string, message: Message, values: Values = {}): string {
  let text: string
  if (typeof message === 'string') text = message
  else {
    const rules = remembered(plurals, language, () => new Intl.PluralRules(language))
    const form = rules.select(Number(values['n'] ?? 0))
    text = message[form] ?? message.other ?? ''
  }
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    if (typeof value === 'string') return RIGHT_TO_LEFT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value
    return remembered(numbers, language, () => new Intl.NumberFormat(language)).format(value)
  })
}

/** The text for a key, in the language chosen. */
export function t(key: MessageKey, values?: Values): string {
  return format(current.language, current.messages[key] ?? (en as Messages)[key] ?? '', values)
}

/** The same for a key that is put together, such as a reason's; the fallback if there is no such message. */
export function tOr(key: string, fallback: string, values?: Values): string {
  const message = current.messages[key] ?? (en as Messages)[key]
  return message === undefined ? fallback : format(current.language, message, values)
}

/** A share of one in whole percent, as the language writes it: 55% in one, 55 % in another. */
export function percentage(share: number): string {
  const spoken = current.language
  const style = remembered(percentages, spoken, () => new Intl.NumberFormat(spoken, { style: 'percent' }))
  // Rounded as the figures within messages are: half a percent must not be one more here than there.
  return style.format(Math.round(100 * share) / 100)
}

export function language(): Language {
  return current.language
}

/** The language that was asked for last: spoken as soon as it is loaded. */
let wanted: Language = 'en'
const loads = new Latest()
/** The newest load. */
let loading: Promise<void> = Promise.resolve()

/** Switch to a language; the page's own language follows, for screen readers and hyphenation. */
export function setLanguage(next: Language): Promise<void> {
  loading = load(next)
  return loading
}

/** Load a language and speak it; if another one is asked for meanwhile, that one is waited for. */
async function load(next: Language): Promise<void> {
  wanted = next
  try {
    const messages = await loads.run(() => messagesOf(next))
    if (messages === STALE) return await loading
    current = { language: next, messages }
    document.documentElement.lang = next
  } catch (error) {
    wanted = current.language
    throw error
  }
}

async function messagesOf(next: Language): Promise<Messages> {
  const messages = next === 'en' ? en : ((await loaders[`./messages/${next}.json`]?.())?.default ?? en)
  const open = await Promise.all([...opened].map((chapter) => chapters[`./${chapter}/${next}.json`]?.()))
  return Object.assign({}, messages, ...open.map((chapter) => chapter?.default)) as Messages
}

/** Have a chapter's texts too, now and in whichever language comes next. */
export async function openChapter(chapter: Chapter): Promise<void> {
  // Somebody else may have opened it, and be waiting for it.
  if (opened.has(chapter)) return loading.catch(() => undefined)
  opened.add(chapter)
  try {
    await setLanguage(wanted)
  } catch (error) {
    opened.delete(chapter)
    throw error
  }
}

/** The language a browser asks for, among ours. */
export function preferred(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const found = LANGUAGES.find(({ code }) => wish.toLowerCase().split('-')[0] === code)
    if (found) return found.code
  }
  return 'en'
}
