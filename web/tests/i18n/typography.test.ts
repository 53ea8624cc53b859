/** Signs and the spaces around them, as each language sets them. */
import { expect, it } from 'vitest'
import { percentage, setLanguage } from '../../src/i18n/index.svelte'
import { type Language, LANGUAGES } from '../../src/i18n/languages'
import { everyMessage } from './every'

const CODES = LANGUAGES.map(({ code }) => code)

/** Every text of a language, each plural form on its own, with its key before it. */
function texts(code: Language): string[] {
  return Object.entries(everyMessage(code)).flatMap(([key, message]) =>
    (typeof message === 'string' ? [message] : Object.values(message)).map((text) => `${key}: ${text}`),
  )
}

const having = (code: Language, sign: RegExp): string[] => texts(code).filter((text) => sign.test(text))

it.each(CODES)('%s writes percent in its messages as numbers are written in it', async (code) => {
  await setLanguage(code)
  const apart = /\d\s%/.test(percentage(0.55))
  const signs = texts(code).flatMap((text) => [...text.matchAll(/\}(\s*)%/g)].map((match) => match[1]))
  expect(signs.length).toBeGreaterThan(5)
  // Apart, but never on another line than its number.
  expect([...new Set(signs)]).toEqual([apart ? '\u00a0' : ''])
  await setLanguage('en')
})

it('rounds a share to whole percent', async () => {
  await setLanguage('en')
  expect([0, 0.004, 0.285, 0.555, 1].map((share) => percentage(share))).toEqual(['0%', '0%', '28%', '56%', '100%'])
})

it.each(CODES)('%s has its own quotation marks', (code) => {
  const [open = '', close = ''] = { en: '“”', de: '„“', fr: '«»', it: '«»', nl: '‘’', es: '«»', pl: '„”' }[code]
  expect(having(code, new RegExp(`^wrong\\.turn: ${open}\\s?\\{token\\}\\s?${close}`))).toHaveLength(1)
  // ’ is everybody's apostrophe.
  const others = [...'„“”«»‘"'].filter((mark) => mark !== open && mark !== close)
  expect(having(code, new RegExp(`[${others.join('')}]`))).toEqual([])
})

it.each(CODES.filter((code) => code !== 'de'))('%s has no space before an ellipsis', (code) => {
  expect(having(code, /\s…/)).toEqual([])
})

it('German has one: it stands for words, not for the end of one', () => {
  expect(having('de', /[^\s]…/)).toEqual([])
})

it('French has a space before every double sign, and no line is broken there', () => {
  const said = texts('fr').map((text) => text.replace(/^[^:]+: /, ''))
  expect(said.filter((text) => /[^\u00a0]:|«[^\u00a0]|[^\u00a0]»/.test(text))).toEqual([])
  expect(said.filter((text) => /[^\u202f][;!?]/.test(text))).toEqual([])
})

it.each(CODES.filter((code) => code !== 'fr'))('%s has no space before a double sign', (code) => {
  expect(having(code, /\s[:;!?]/)).toEqual([])
})

it('Spanish opens what it asks and calls', () => {
  const pairs = (text: string): boolean =>
    text.split('?').length === text.split('¿').length && text.split('!').length === text.split('¡').length
  expect(texts('es').filter((text) => !pairs(text))).toEqual([])
})
