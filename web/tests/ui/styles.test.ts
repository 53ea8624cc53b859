/** Corners, gaps and letters come from the scales in `tokens.css`: a raw length in any style is an error. */
import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

/** What each property may be built from, besides nothing and what it inherits. */
const SCALES: readonly (readonly [property: RegExp, scale: RegExp])[] = [
  [/^border(-\w+)*-radius$/, /var\(--radius-(xs|s|m|l|xl|round)\)|50%/g],
  [/^((row|column)-)?gap$/, /var\(--space-[1-5]\)/g],
  // Also: text, titles that grow with the window, parts of what is around them, and drawings, which count in pixels.
  [/^font(-size)?$/, /var\(--(font|text-(xs|s|m|l|xl|[2-4]xl))\)|(?<![\d.])1rem|clamp\(.*\)|[\d.]+(em|px)\b/g],
]
const DECLARATION = /^\s*([a-z-]+):\s*([^;{}]+);/

/** The declarations that use a length of their own, each with its line. */
function rawLengths(css: string, firstLine = 1): string[] {
  return css.split('\n').flatMap((line, index) => {
    const [, property = '', value = ''] = DECLARATION.exec(line) ?? []
    const scale = SCALES.find(([wanted]) => wanted.test(property))?.[1]
    // What is left of a sum, a product or a half of tokens has no unit.
    const isRaw = scale && /\d(px|r?em|%|[dsl]?v[hw])|var\(/.test(value.replaceAll(scale, ''))
    return isRaw ? [`${firstLine + index}: ${property}: ${value}`] : []
  })
}

/** The style block of a component, after as many empty lines as stand before it. */
function styleOf(component: string): string {
  const [before, style = ''] = component.split(/<style[^>]*>/)
  return (before ?? '').replace(/[^\n]/g, '') + style
}

const FILES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|css)$/.test(name))
  .map((name) => `src/${name}`)
  .sort()

describe('the scales', () => {
  it('has found the page', () => {
    expect(FILES.length).toBeGreaterThan(100)
    expect(FILES.filter((file) => /<style/.test(readFileSync(file, 'utf8'))).length).toBeGreaterThan(80)
  })

  it.each(FILES)('hold in %s', (file) => {
    const text = readFileSync(file, 'utf8')
    expect(rawLengths(file.endsWith('.svelte') ? styleOf(text) : text).map((found) => `${file}:${found}`)).toEqual([])
  })

  it('are missed by a raw length, which is named with its line', () => {
    const component = '<script>\n</script>\n<p>gap: 5px;</p>\n<style>\n  p {\n    gap: 5px;\n  }\n</style>\n'
    expect(rawLengths(styleOf(component))).toEqual(['6: gap: 5px'])
    expect(rawLengths('border-radius: 7px;\nrow-gap: 1rem;\nborder-top-left-radius: 2em;')).toHaveLength(3)
    expect(rawLengths('font-size: 0.9rem;\nfont: 600 1.1rem/1.2 var(--font);')).toHaveLength(2)
    expect(rawLengths('gap: var(--space-2) 6px;\ngap: calc(var(--space-1) + 1px);\ngap: var(--gap);')).toHaveLength(3)
  })

  it('allow tokens, sums of them, circles and nothing at all', () => {
    const allowed = [
      'gap: 0',
      'gap: 0 var(--space-3)',
      'gap: calc(2 * var(--space-5))',
      'gap: calc(var(--space-1) / 2)',
    ]
    expect(
      rawLengths(
        [...allowed, 'border-radius: 50%', 'border-radius: inherit', 'font: 600 1rem/36px var(--font)'].join(';\n') +
          ';',
      ),
    ).toEqual([])
  })
})
