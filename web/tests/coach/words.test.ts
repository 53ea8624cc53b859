/** Whatever the coach has said is a whole sentence in every language. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fact, SevereFact } from '../../src/coach/facts'
import { factWords, questionWords, reasonWords } from '../../src/coach/words'
import { openChapter, setLanguage } from '../../src/i18n/index.svelte'
import { LANGUAGES } from '../../src/i18n/languages'
import told from '../fixtures/coached.json'

const SAID = (told as unknown as readonly { readonly facts: readonly Fact[] }[]).map(({ facts }) => facts)
const SENTENCE = /^[\p{Lu}¿].*[.]$/u

beforeAll(() => openChapter('coach'))
afterAll(() => setLanguage('en'))

it.each(LANGUAGES.map(({ code }) => code))('%s', async (code) => {
  await setLanguage(code)
  for (const facts of SAID.filter(({ length }) => length)) {
    const words = [...facts.map(factWords), questionWords(facts[0] as SevereFact), reasonWords(facts)]
    for (const said of words) {
      expect(said).toMatch(SENTENCE)
      expect(said).not.toMatch(/[{}]|undefined|\s{2}/)
    }
  }
})
