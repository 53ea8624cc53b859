/**
 * Every tone that something has to be told apart by, held to WCAG's ratios as computed from the theme itself, and seen
 * through as it is where it is drawn.
 */
import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const css = readFileSync('src/ui/tokens.css', 'utf8')

type Tones = ReadonlyMap<string, string>

function tones(selector: string, before: Tones = new Map()): Tones {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return new Map([
    ...before,
    ...[...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, n, v]) => [n, v] as [string, string]),
  ])
}

const light = tones(':root')
const THEMES = { light, dark: tones(":root[data-theme='dark']", light) }

/** Red, green and blue. */
type Light = readonly number[]

function luminance(light: Light): number {
  const [r = 0, g = 0, b = 0] = light.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Light, other: Light): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** How opaque the board's parts draw something of a class: `ThreatMark.quiet`. */
function opacityOf(place: string): number {
  const [part = '', name = ''] = place.split('.')
  const style = readFileSync(`src/board/view/${part}.svelte`, 'utf8').split('<style>')[1] ?? ''
  const rules = [...style.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(
    ([, selector = '']) => selector.trim() === `.${name}`,
  )
  const opacities = rules.flatMap(([, , rule = '']) => [...rule.matchAll(/(?:^|\s)opacity: ([\d.]+)/g)])
  return opacities.reduce((product, [, opacity]) => product * Number(opacity), 1)
}

/**
 * Something drawn with one tone or several, of which one must stand out from each thing it may lie on. Where a tone is
 * seen through, it says in which classes of which part: `mark@Targets.halo`.
 */
interface Need {
  readonly what: string
  readonly drawn: readonly string[]
  readonly on: readonly string[]
  readonly least: number
}

const GROUND = ['board', 'centre']
const ANYWHERE = [...GROUND, 'ivory', 'charcoal']

const NEEDS: readonly Need[] = [
  { what: 'words', drawn: ['ink'], on: ['page', 'panel'], least: 4.5 },
  { what: 'soft words', drawn: ['ink-soft'], on: ['page', 'panel'], least: 4.5 },
  { what: 'links', drawn: ['accent'], on: ['page', 'panel'], least: 4.5 },
  { what: 'a main button', drawn: ['accent-ink'], on: ['accent'], least: 4.5 },
  { what: 'a refusal', drawn: ['danger'], on: ['page', 'panel'], least: 4.5 },
  { what: 'counts in the set', drawn: ['tray-ink'], on: ['tray'], least: 4.5 },
  { what: 'coordinates', drawn: ['board-ink'], on: ['board'], least: 4.5 },
  { what: 'levels on White’s minor dots', drawn: ['ivory-ink'], on: ['ivory-recess', 'ivory'], least: 4.5 },
  { what: 'levels on Black’s minor dots', drawn: ['charcoal-ink'], on: ['charcoal-recess', 'charcoal'], least: 4.5 },
  { what: 'levels on White’s PÜNCT', drawn: ['ivory-punct-ink'], on: ['ivory-punct'], least: 4.5 },
  { what: 'levels on Black’s PÜNCT', drawn: ['charcoal-punct-ink'], on: ['charcoal-punct'], least: 4.5 },
  { what: 'the edge of the central hexagon', drawn: ['centre-edge'], on: GROUND, least: 3 },
  { what: 'white pieces', drawn: ['ivory', 'ivory-rim'], on: [...GROUND, 'charcoal'], least: 3 },
  { what: 'black pieces', drawn: ['charcoal', 'charcoal-light'], on: [...GROUND, 'ivory'], least: 3 },
  { what: 'white on white', drawn: ['ivory-rim'], on: ['ivory'], least: 3 },
  { what: 'black on black', drawn: ['charcoal-light'], on: ['charcoal'], least: 3 },
  { what: 'lit spaces', drawn: ['mark@Targets.targets@Targets.light'], on: GROUND, least: 3 },
  {
    what: 'lit dots, also once one is picked',
    drawn: ['mark', 'mark-halo'].map((tone) => `${tone}@Targets.targets@Targets.settled@Targets.light`),
    on: ANYWHERE,
    least: 3,
  },
  { what: 'a light in its halo', drawn: ['mark'], on: ['mark-halo'], least: 3 },
  { what: 'lines to the lights', drawn: ['mark@Targets.line', 'mark-halo@Targets.halo'], on: ANYWHERE, least: 3 },
  { what: 'the piece that was laid last', drawn: ['last@Piece.recent'], on: GROUND, least: 3 },
  { what: 'where it came from', drawn: ['mark@LastMoveMark.trace'], on: GROUND, least: 3 },
  {
    what: 'the way it went',
    drawn: ['mark@LastMoveMark.way', 'mark-halo@LastMoveMark.way-halo'],
    on: ANYWHERE,
    least: 3,
  },
  { what: 'what is in the way', drawn: ['warn'], on: GROUND, least: 3 },
  { what: 'a dot that is in the way', drawn: ['warn', 'warn-halo'], on: ANYWHERE, least: 3 },
  {
    what: 'a chance to connect',
    drawn: ['chance@ThreatMark.own', 'chance-halo@ThreatMark.own'],
    on: ANYWHERE,
    least: 3,
  },
  {
    what: 'a threat while a turn is entered',
    drawn: ['warn@ThreatMark.threat@ThreatMark.quiet@ThreatMark.line', 'warn-halo@ThreatMark.quiet@ThreatMark.halo'],
    on: ANYWHERE,
    least: 3,
  },
  {
    what: 'the way of a suggestion',
    drawn: ['chance@Suggestions.way', 'chance-halo@Suggestions.way-halo'],
    on: ANYWHERE,
    least: 3,
  },
  { what: 'the rank of a suggestion', drawn: ['chance-halo'], on: ['chance'], least: 4.5 },
  { what: 'the rank of a threat', drawn: ['warn-halo'], on: ['warn'], least: 4.5 },
  { what: 'the first pair of sides', drawn: ['side-one'], on: ['board'], least: 3 },
  { what: 'the second pair of sides', drawn: ['side-two'], on: ['board'], least: 3 },
  { what: 'the third pair of sides', drawn: ['side-three'], on: ['board'], least: 3 },
  { what: 'a ring in its halo', drawn: ['warn'], on: ['warn-halo'], least: 3 },
]

describe.each(Object.entries(THEMES))('in the %s theme', (_, theme) => {
  const tone = (name: string): Light => {
    const found = theme.get(name)
    if (!found) throw new Error(`the theme has no tone ${name}`)
    return [1, 3, 5].map((at) => parseInt(found.slice(at, at + 2), 16) / 255)
  }
  /** What is seen of something drawn on a ground. */
  const seen = (drawn: string, ground: Light): Light => {
    const [name = '', ...places] = drawn.split('@')
    const opacity = places.map(opacityOf).reduce((product, one) => product * one, 1)
    return tone(name).map((value, at) => value * opacity + (ground[at] ?? 0) * (1 - opacity))
  }

  it.each(NEEDS)('$what can be told apart', ({ drawn, on, least }) => {
    for (const ground of on) {
      const best = Math.max(...drawn.map((name) => contrast(seen(name, tone(ground)), tone(ground))))
      expect(best, `${drawn.join(' or ')} on ${ground}`).toBeGreaterThanOrEqual(least)
    }
  })
})

it('reads how opaque something is drawn', () => {
  expect(opacityOf('GhostPiece.other')).toBe(0.2)
  expect(opacityOf('GhostPiece.handle')).toBe(1)
})
