/** Every message in every language, with every place to fill and every plural form the language needs. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  format,
  type Message,
  type Messages,
  openChapter,
  preferredLanguage,
  setLanguage,
  t,
} from '../../src/i18n/index.svelte'
import { LANGUAGES } from '../../src/i18n/languages'
import { everyMessage } from './every'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const en = everyMessage('en')

const forms = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message))
const places = (message: Message): string[] =>
  [...new Set(forms(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')))].sort()

/** The plural forms that whole numbers need: nothing in the game is counted in halves or in millions. */
function formsNeeded(code: string): string[] {
  const rules = new Intl.PluralRules(code)
  return [...new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))].sort()
}

describe.each(LANGUAGES)('$name', ({ code }) => {
  const messages = everyMessage(code)

  it('has every message and no other', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(en))
  })

  it('is plural where English is', () => {
    const plural = (all: Messages): string[] => Object.keys(all).filter((key) => typeof all[key] !== 'string')
    expect(plural(messages)).toEqual(plural(en))
  })

  it('has every plural form and no other', () => {
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === 'string') continue
      expect({ key, forms: Object.keys(message).sort() }).toEqual({ key, forms: formsNeeded(code) })
    }
  })

  it('has the same places to fill', () => {
    for (const [key, message] of Object.entries(messages)) {
      expect({ key, places: places(message) }).toEqual({ key, places: places(en[key] ?? '') })
    }
  })

  it('shows the number in every form that stands for several', () => {
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === 'string') continue
      // "One" may be said in words; a form that also stands for 22 may not.
      for (const [form, text] of Object.entries(message)) if (form !== 'one') expect(`${key}: ${text}`).toContain('{n}')
    }
  })

  it('says something everywhere, without stray blanks', () => {
    for (const [key, message] of Object.entries(messages)) {
      for (const text of forms(message)) {
        expect(`${key}: ${text}`).toMatch(/\S: \S/)
        expect(text).toBe(text.trim())
        expect(text).not.toMatch(/ {2}|\{\s|\s\}|'/)
      }
    }
  })
})

it('speaks in the plural form of the language', () => {
  const message = { one: '{n} ruch', few: '{n} ruchy', many: '{n} ruchów' }
  const said = [1, 3, 5, 12, 22, 100].map((n) => format('pl', message, { n }))
  expect(said).toEqual(['1 ruch', '3 ruchy', '5 ruchów', '12 ruchów', '22 ruchy', '100 ruchów'])
})

it('has a sentence for every rule that can be broken', () => {
  const reasons = [...read('../../../src/punct/reason.py').matchAll(/^ {4}([A-Z_]+) = /gm)].map((match) => match[1])
  expect(reasons.length).toBeGreaterThan(15)
  for (const reason of [...reasons, 'UNREADABLE']) expect(en).toHaveProperty([`reason.${reason}`])
})

it('has a few words for every rule that one heading may break and another not', () => {
  const text = read('../../../tests/test_reason.py')
  const apart = new Set(
    [...(/HEADING_APART = \{([^}]*)\}/.exec(text)?.[1] ?? '').matchAll(/Reason\.([A-Z_]+)/g)].map((m) => m[1]),
  )
  expect(apart.size).toBeGreaterThan(5)
  const reasons = Object.keys(en).flatMap((key) => /^reason\.([A-Z_]+)$/.exec(key)?.[1] ?? [])
  const others = reasons.filter((reason) => !apart.has(reason) && !['OTHER_KIND', 'UNREADABLE'].includes(reason))
  expect(Object.keys(en).filter((key) => key.startsWith('fault.'))).toEqual(others.map((reason) => `fault.${reason}`))
})

it('has a sentence for every refusal of the server', () => {
  const table = read('../../../docs/http-api.md').matchAll(/^\| \d{3} \|(.*)\|$/gm)
  // What stands in brackets explains.
  const rows = [...table].map(([, row]) => (row ?? '').replace(/\([^)]*\)/g, ''))
  const codes = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+)`/g)]).map((match) => match[1])
  expect(codes.length).toBeGreaterThan(20)
  for (const code of [...codes, 'refused', 'invalid', 'offline']) {
    expect(en).toHaveProperty([`error.${code}`])
  }
})

it('has a sentence for everything that can be wrong with a text', () => {
  const files = ['geometry', 'notation', 'position', 'records/limits', 'records/sgf/reader', 'server/workers/read']
  const sources = files.map((file) => read(`../../../src/punct/${file}.py`)).join('\n')
  const faults = [...sources.matchAll(/\.about\(\s*(?:error\.code or )?"(\w+)"/g)].map((match) => match[1])
  expect(faults.length).toBeGreaterThan(12)
  for (const fault of [...faults, 'word']) expect(en).toHaveProperty([`wrong.${fault}`])
})

it('has a name and a text for every level', () => {
  const levels = [...read('../../../kernel/search/levels.cpp').matchAll(/^ {4}\{(\d), "/gm)].map((match) => match[1])
  expect(levels.length).toBe(8)
  for (const level of levels) {
    expect(en).toHaveProperty([`level.${level}.name`])
    expect(en).toHaveProperty([`level.${level}.text`])
  }
})

it('says nothing twice', () => {
  const chapters = import.meta.glob<Messages>('../../src/i18n/*/en.json', { import: 'default', eager: true })
  const keys = Object.values(chapters).flatMap((messages) => Object.keys(messages))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

it('uses every message', () => {
  const files = import.meta.glob<string>('../../src/**/*.{ts,svelte}', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const sources = Object.values(files).join('\n')
  const asked = new Set<string>()
  // A key is written out, or put together from a beginning and something known only then.
  const patterns: RegExp[] = []
  for (const [, quoted, pattern] of sources.matchAll(/'([\w]+(?:\.[\w]+)+)'|`((?:[\w.]|\$\{[^}]*\})+)`/g)) {
    if (quoted) asked.add(quoted)
    else if (pattern?.includes('${') && /^[a-z_]+[._]/.test(pattern)) {
      patterns.push(new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`))
    }
  }
  const unused = Object.keys(en).filter((key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)))
  expect(unused).toEqual([])
})

describe('the language', () => {
  it('is the first of the browser’s that we speak', () => {
    expect(preferredLanguage(['pt-BR', 'pl-PL', 'de'])).toBe('pl')
    expect(preferredLanguage(['de-AT'])).toBe('de')
    expect(preferredLanguage(['ja'])).toBe('en')
    expect(preferredLanguage([])).toBe('en')
  })

  it('changes what is said and what the page calls itself', async () => {
    await setLanguage('de')
    expect(t('board.label')).toBe('Spielplan')
    expect(t('home.turns', { n: 1 })).toBe('1 Zug')
    expect(t('home.turns', { n: 1234 })).toBe('1.234 Züge')
    expect(document.documentElement.lang).toBe('de')
    await setLanguage('en')
    expect(t('board.label')).toBe('Board')
    expect(document.documentElement.lang).toBe('en')
  })

  it('is that of the course too, once that is wanted', async () => {
    expect(t('learn.skip')).toBe('')
    await openChapter('lessons')
    expect(t('learn.skip')).toBe('Skip')
    await setLanguage('nl')
    expect(t('learn.skip')).toBe('Overslaan')
    await setLanguage('en')
    expect(t('learn.skip')).toBe('Skip')
  })
})
