/** Languages that come in another order than they were asked for: the last one asked for is spoken, and noted. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { language, openChapter, setLanguage, t } from '../../src/i18n/index.svelte'
import { chooseFromList, chooseLanguage, storedLanguage } from '../../src/i18n/languageChoice'
import { type Deferred, deferred, settled } from '../support/deferred'

const held = vi.hoisted(() => ({ german: null as Deferred<void> | null, broken: false }))

// Each is loaded once: German when a test says so, Polish never.
vi.mock('../../src/i18n/messages/de.json', async (original) => {
  await held.german?.promise
  return original()
})
vi.mock('../../src/i18n/messages/pl.json', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

beforeEach(() => localStorage.clear())
afterEach(() => setLanguage('en'))

it('speaks the language that was chosen last, whichever is loaded last', async () => {
  held.german = deferred()
  const first = chooseLanguage('de')
  await chooseLanguage('fr')
  expect([language(), document.documentElement.lang, storedLanguage()]).toEqual(['fr', 'fr', 'fr'])
  held.german.answer()
  await first
  await settled()
  expect([language(), document.documentElement.lang, storedLanguage()]).toEqual(['fr', 'fr', 'fr'])
})

it('opens a chapter in the language that is being loaded, for everybody who waits for it', async () => {
  const spoken = setLanguage('nl')
  const both = Promise.all([openChapter('rules'), openChapter('rules')])
  await both
  expect(language()).toBe('nl')
  const words = t('rules.title' as never)
  await spoken
  expect([language(), t('rules.title' as never)]).toEqual(['nl', words])
})

it('stays with the language that is spoken where another cannot be had', async () => {
  await chooseLanguage('it')
  const list = document.createElement('select')
  for (const code of ['it', 'pl']) list.add(new Option(code, code))
  list.value = 'pl'
  await chooseFromList(list)
  expect([language(), storedLanguage(), list.value]).toEqual(['it', 'it', 'it'])
})
