/**
 * Texts in the player's language. A message is a text with `{places}`, or one text for each plural form, chosen by
 * the number in `{n}`. The language is loaded on demand; English stands in until it is there.
 */
import en from '../messages/en.json'
import { type Language, LANGUAGES } from './languages'

export type MessageKey = keyof typeof en
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Messages = Record<string, Message>
export type Values = Record<string, string | number>

const loaders = import.meta.glob<{ default: Messages }>(['../messages/*.json', '!../messages/en.json'])

const current = $state<{ language: Language; messages: Messages }>({ language: 'en', messages: en })

/** Fill a message's places; exported for the tests. */
export function format(language: string, message: Message, values: Values = {}): string {
  let text: string
  if (typeof message === 'string') text = message
  else {
    const form = new Intl.PluralRules(language).select(Number(values['n'] ?? 0))
    text = message[form] ?? message.other ?? ''
  }
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? value.toLocaleString(language) : value
  })
}

/** The text for a key, in the language chosen. */
export function t(key: MessageKey, values?: Values): string {
  return format(current.language, current.messages[key] ?? en[key], values)
}

/** The same for a key that is put together, such as a reason's; the fallback if there is no such message. */
export function tOr(key: string, fallback: string, values?: Values): string {
  const message = current.messages[key] ?? (en as Messages)[key]
  return message === undefined ? fallback : format(current.language, message, values)
}

export function language(): Language {
  return current.language
}

/** Switch to a language; the page's own language follows, for screen readers and hyphenation. */
export async function setLanguage(next: Language): Promise<void> {
  if (next === 'en') current.messages = en
  else {
    const load = loaders[`../messages/${next}.json`]
    if (!load) return
    current.messages = (await load()).default
  }
  current.language = next
  document.documentElement.lang = next
}

/** The language a browser asks for, among ours. */
export function preferred(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const found = LANGUAGES.find(({ code }) => wish.toLowerCase().split('-')[0] === code)
    if (found) return found.code
  }
  return 'en'
}
