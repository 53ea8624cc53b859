/**
 * A board in another site's page: pictures to step through, and a link to the full page. The server puts what is shown
 * into the document; nothing is stored, and nobody is logged in.
 */
import './embed.css'
import { textsIn } from './texts'

interface ShownBoard {
  readonly title: string
  /** The path of the full page. */
  readonly page: string
  readonly pictures: readonly string[]
  readonly moves: readonly string[]
}

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

const shown = JSON.parse(find('#board').textContent) as ShownBoard
const query = new URLSearchParams(location.search)
const { language, texts } = textsIn([query.get('lang') ?? '', ...navigator.languages])
const last = shown.pictures.length - 1
const picture = find<HTMLImageElement>('img')
const place = find<HTMLOutputElement>('output')
const link = find<HTMLAnchorElement>('a')
const dark = matchMedia('(prefers-color-scheme: dark)')
let ply = firstPly()

/** The ply in the address, else the last one. */
function firstPly(): number {
  const asked = Number(query.get('ply') ?? last)
  return Number.isInteger(asked) ? Math.min(Math.max(asked, 0), last) : last
}

function theme(): 'light' | 'dark' {
  const chosen = query.get('theme')
  if (chosen === 'light' || chosen === 'dark') return chosen
  return dark.matches ? 'dark' : 'light'
}

function address(at: number): string {
  return `${shown.pictures[at] ?? ''}&theme=${theme()}&size=960`
}

const STEPS: Readonly<Record<string, () => number>> = {
  start: () => 0,
  back: () => Math.max(0, ply - 1),
  on: () => Math.min(last, ply + 1),
  end: () => last,
}
const KEYS: Readonly<Record<string, string>> = { Home: 'start', ArrowLeft: 'back', ArrowRight: 'on', End: 'end' }

function show(): void {
  document.documentElement.dataset['theme'] = theme()
  picture.src = address(ply)
  const move = shown.moves[ply - 1]
  picture.alt = `${texts.board}: ${shown.title}${move ? `, ${move}` : ''}`
  place.textContent = last ? `${ply} / ${last}${move ? ` · ${move}` : ''}` : ''
  link.href = shown.page + (shown.page.startsWith('/game/') ? `?ply=${ply}` : '')
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-step]'))
    button.disabled = STEPS[button.dataset['step'] ?? '']?.() === ply
  // The next picture is there when it is wanted.
  if (ply < last) new Image().src = address(ply + 1)
}

function step(name: string | undefined): boolean {
  const next = STEPS[name ?? '']?.() ?? ply
  if (next === ply) return false
  ply = next
  show()
  return true
}

document.documentElement.lang = language
document.title = shown.title
link.textContent = `${texts.open}: ${shown.title}`
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-step]')) {
  const name = button.dataset['step'] as 'start' | 'back' | 'on' | 'end'
  button.hidden = last === 0
  button.title = texts[name]
  button.setAttribute('aria-label', texts[name])
  button.addEventListener('click', () => step(name))
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (step(KEYS[event.key])) event.preventDefault()
})
dark.addEventListener('change', show)
show()
