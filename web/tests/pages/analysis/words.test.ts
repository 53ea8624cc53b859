/** Winning chances in words. */
import { afterEach, beforeAll, expect, it } from 'vitest'
import { openChapter, setLanguage } from '../../../src/i18n/index.svelte'
import { chanceWords } from '../../../src/pages/analysis/words'
import { whiteChanceWords } from '../../../src/pages/review/words'

beforeAll(() => openChapter('analysis'))

afterEach(() => setLanguage('en'))

it('is a share as the language writes it', async () => {
  expect(chanceWords(0.55, 0)).toBe('55%')
  await setLanguage('de')
  expect(chanceWords(0.55, 0)).toBe('55\u00a0%')
})

it('is no share where the end is known', () => {
  expect(chanceWords(1, 5)).toBe('Win in 3')
  expect(chanceWords(0, -4)).toBe('Loss in 2')
})

it('is White’s, said once with its unit', async () => {
  expect(whiteChanceWords(0.4)).toBe('White’s winning chances: 40%')
  expect(whiteChanceWords(undefined)).toBe('Winning chances not known yet')
  await setLanguage('de')
  expect(whiteChanceWords(0.4)).toBe('Gewinnchancen von Weiß: 40\u00a0%')
})
