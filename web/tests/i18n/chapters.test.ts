/** Texts of a chapter are used only where the chapter was loaded: elsewhere nothing would be said. */
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Messages } from '../../src/i18n/index.svelte'

const messages = import.meta.glob<Messages>('../../src/i18n/*/en.json', { import: 'default', eager: true })
const sources = import.meta.glob<string>('../../src/**/*.{ts,svelte}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const SRC = '../../src/'
const MAIN = 'messages'
/** What is said only while a coach looks on, who brings the chapter. */
const WITH_COACH = ['pages/game/MoveBar.svelte: coach']

/** The chapter of every key. */
const chapters = new Map(
  Object.entries(messages).flatMap(([file, texts]) =>
    Object.keys(texts).map((key) => [key, path.basename(path.dirname(file))] as const),
  ),
)

/** The chapters whose texts a source uses. A computed key counts if all texts that begin like it are in one chapter. */
function chaptersIn(source: string): string[] {
  const whole = [...source.matchAll(/['"`]([a-z_]+(?:\.[\w-]+)+)['"`]/g)].flatMap(([, key]) =>
    key === undefined ? [] : (chapters.get(key) ?? []),
  )
  const computed = [...source.matchAll(/['"`]([a-z_]+\.[\w.]*)\$\{/g)].flatMap(([, start]) => {
    const found = new Set([...chapters].flatMap(([key, chapter]) => (key.startsWith(start ?? '') ? chapter : [])))
    return found.size === 1 ? [...found] : []
  })
  return [...new Set([...whole, ...computed])]
}

function resolve(from: string, to: string): string | null {
  const base = path.posix.join(path.posix.dirname(from), to)
  return [base, `${base}.ts`, `${base}/index.ts`].find((file) => file in sources) ?? null
}

/** What a source imports: at once, or later with the chapters that are loaded with it. */
function importsOf(file: string): { at: string; chapters: string[] }[] {
  const source = sources[file] ?? ''
  const found: { at: string | null; chapters: string[] }[] = []
  for (const [, to = ''] of source.matchAll(/^\s*(?:import|export)\b(?! type)[^'()]*?from '(\.[^']+)'/gm))
    found.push({ at: resolve(file, to), chapters: [] })
  const opened = [...source.matchAll(/openChapter\('(\w+)'\)/g)].map(([, name = '']) => name)
  for (const [, around = '', to = ''] of source.matchAll(/((?:withChapter\('\w+',\s*)*)import\('(\.[^']+)'\)/g)) {
    const named = [...around.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
    found.push({ at: resolve(file, to), chapters: [...named, ...opened] })
  }
  return found.flatMap(({ at, chapters }) => (at === null ? [] : [{ at, chapters }]))
}

it('uses no text of a chapter that may not be loaded', () => {
  const missing = new Set<string>()
  const visited = new Set<string>()
  const visit = (file: string, loaded: readonly string[]): void => {
    const state = `${file} ${loaded.join(' ')}`
    if (visited.has(state)) return
    visited.add(state)
    for (const chapter of chaptersIn(sources[file] ?? ''))
      if (chapter !== MAIN && !loaded.includes(chapter)) missing.add(`${file.slice(SRC.length)}: ${chapter}`)
    for (const { at, chapters } of importsOf(file)) visit(at, [...new Set([...loaded, ...chapters])].toSorted())
  }
  visit(`${SRC}app/main.ts`, [])
  expect(new Set([...visited].map((state) => state.split(' ', 1)[0])).size).toBeGreaterThan(300)
  expect([...missing].toSorted()).toEqual(WITH_COACH)
})
