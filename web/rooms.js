/**
 * The rooms of the client from the top down, and which others each may use: so no two can come to need each other.
 * Pages know what is shared, never another page. eslint holds every import to this.
 */
import { readdirSync } from 'node:fs'

const PAGES = ['home', 'game', 'learn', 'analysis', 'online']
const SHARED = ['coach', 'parts', 'board/view', 'board/model', 'local', 'kernel', 'net', 'i18n', 'browser', 'requests']

const ROOMS = {
  service: [],
  shell: [...PAGES, ...SHARED],
  ...Object.fromEntries(PAGES.map((page) => [page, SHARED])),
  coach: ['parts', 'board/view', 'board/model', 'local', 'kernel', 'net', 'i18n', 'browser', 'requests'],
  parts: ['board/view', 'board/model', 'local', 'kernel', 'net', 'i18n', 'browser', 'requests'],
  'board/view': ['board/model', 'net', 'i18n'],
  'board/model': ['net'],
  local: ['kernel', 'net', 'browser'],
  kernel: ['net'],
  net: ['browser'],
  i18n: ['browser', 'requests'],
  browser: [],
  requests: [],
}
const names = Object.keys(ROOMS)

for (const [at, name] of names.entries()) {
  const upwards = ROOMS[name].find((used) => names.indexOf(used) <= at)
  if (upwards) throw new Error(`rooms.js: ${name} may not use ${upwards}, which is not below it`)
}
for (const folder of readdirSync(new URL('src', import.meta.url), { withFileTypes: true })) {
  const known = names.some((name) => name.split('/')[0] === folder.name)
  if (folder.isDirectory() && !known) throw new Error(`rooms.js: nobody said what src/${folder.name} may use`)
}

/** The board draws what it is given: of net it knows the words, not the way to the server. */
const ONLY_WORDS = { regex: '/net/(?!model$)', message: 'The board asks nobody: of net it may use model alone.' }
/** What is pure stays so. */
const NO_SVELTE = { regex: '^svelte|\\.svelte$', message: 'board/model is plain TypeScript.' }

/** A room by the end of its path: `../view/` from its neighbour, `../board/view/` from elsewhere. */
const endOf = (name) => name.split('/').at(-1)

/** eslint's rule for each room. (The library has rooms of the same names; what the page takes from it is data.) */
const rules = names.map((name) => {
  const others = names.filter((other) => other !== name && !ROOMS[name].includes(other)).map(endOf)
  const below = ROOMS[name].join(', ') || 'no other room'
  const patterns = [
    ...(others.length
      ? [{ regex: `^(\\./)?\\.\\./(?!.*/punct/)(.*/)?(${others.join('|')})/`, message: `${name} may use ${below}.` }]
      : []),
    ...(name.startsWith('board/') ? [ONLY_WORDS] : []),
    ...(name === 'board/model' ? [NO_SVELTE] : []),
  ]
  return {
    files: [`src/${name}/**`],
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      // Loading later is for whole pages, which the shell knows.
      'no-restricted-syntax': name === 'shell' ? 'off' : ['error', 'ImportExpression'],
    },
  }
})

/** What a browser may refuse, by throwing at its very name: everybody else asks the one place that is ready for it. */
const REFUSABLE = ['localStorage', 'sessionStorage', 'indexedDB', 'caches']
const REFUSABLE_BY_NAVIGATOR = ['serviceWorker', 'locks', 'storage', 'cookieStore']
const HOLDERS = ['window', 'self', 'globalThis']
const guarded = (name) => ({ name, message: 'It may throw: use src/browser/storage.ts.' })
const guardedOf = (object) => (property) => ({ object, property, message: 'It may throw: use src/browser/storage.ts.' })
const STORAGE = {
  files: ['src/**'],
  ignores: ['src/browser/**', 'src/service/**'],
  rules: {
    'no-restricted-globals': ['error', ...REFUSABLE.map(guarded)],
    'no-restricted-properties': [
      'error',
      ...HOLDERS.flatMap((holder) => REFUSABLE.map(guardedOf(holder))),
      ...REFUSABLE_BY_NAVIGATOR.map(guardedOf('navigator')),
      guardedOf('document')('cookie'),
    ],
  },
}

/** What is loaded only where there is no server goes through one door, and the coach through another. */
const DOORS = ['src/parts/later.ts', 'src/coach/later.ts']
export default [...rules, STORAGE, { files: DOORS, rules: { 'no-restricted-syntax': 'off' } }]
