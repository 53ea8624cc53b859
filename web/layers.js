/**
 * The folders of the page from the top down, and which others each may import. Imports point down only, so there are
 * no cycles; pages import what is shared, never another page. eslint checks every import.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('src', import.meta.url))

const PAGES = ['home', 'game', 'lessons', 'puzzles', 'rules', 'analysis', 'review', 'lobby', 'players', 'account']
const BELOW_UI = ['api', 'i18n', 'browser', 'requests']
const BOARD = ['board/view', 'board/model']
const SHARED = ['desk', 'study', 'coach', 'play', 'games', 'session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI]
const EVERY_PAGE = PAGES.map((page) => `pages/${page}`)

const LAYERS = {
  service: [],
  embed: [],
  app: [...EVERY_PAGE, ...SHARED],
  pages: SHARED,
  desk: ['study', 'play', 'games', 'session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI],
  study: ['play', 'games', 'session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI],
  coach: ['play', 'games', 'session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI],
  play: ['games', 'session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI],
  games: ['session', 'ui', ...BOARD, 'local', 'kernel', ...BELOW_UI],
  session: ['ui', ...BELOW_UI],
  ui: BELOW_UI,
  'board/view': ['board/model', 'api', 'i18n'],
  'board/model': ['api'],
  local: ['kernel', 'api', 'browser'],
  kernel: ['api'],
  api: ['browser'],
  i18n: ['browser', 'requests'],
  browser: ['requests'],
  requests: [],
}

/** The layer of a file inside src: a folder, `pages/PAGE` or `board/HALF`. */
function layerOf(file) {
  const [folder, part] = path.relative(SRC, file).split(path.sep)
  return folder === 'pages' || folder === 'board' ? `${folder}/${part}` : folder
}

/** The layers that a layer may import, itself included. */
function allowedFor(layer) {
  return [layer, ...LAYERS[layer.startsWith('pages/') ? 'pages' : layer]]
}

/** Why a file may not import another; null if it may. */
function fault(from, to) {
  const [layer, target] = [layerOf(from), layerOf(to)]
  const allowed = allowedFor(layer)
  if (!allowed.includes(target)) return `${layer} may import ${allowed.slice(1).join(', ') || 'no other folder'}.`
  // The board draws its input: it uses the API's types, and sends no requests.
  if (layer.startsWith('board/') && target === 'api' && path.parse(to).name !== 'model')
    return 'The board sends no requests: of api it may import model alone.'
  return null
}

/** Check that each folder of src is in the table, and that the table points down. */
function checkTable() {
  const order = Object.keys(LAYERS).flatMap((name) => (name === 'pages' ? EVERY_PAGE : [name]))
  const folders = (folder) => readdirSync(path.join(SRC, folder), { withFileTypes: true })
  const inside = (folder) => folders(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  const present = inside('').flatMap((name) =>
    name === 'pages' || name === 'board' ? inside(name).map((part) => `${name}/${part}`) : [name],
  )
  for (const name of present) if (!order.includes(name)) throw new Error(`layers.js does not know src/${name}`)
  for (const name of order) {
    if (!existsSync(path.join(SRC, name))) throw new Error(`layers.js: there is no src/${name}`)
    const upwards = allowedFor(name).find((used) => used !== name && order.indexOf(used) <= order.indexOf(name))
    if (upwards) throw new Error(`layers.js: ${name} may not import ${upwards}, which is not below it`)
  }
}
checkTable()

const rule = {
  meta: { type: 'problem', schema: [], messages: { layers: '{{why}}' } },
  create(context) {
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      const to = path.resolve(path.dirname(context.filename), source.value)
      // Data of the Python library is no layer of the page.
      if (path.relative(SRC, to).startsWith('..')) return
      const why = fault(context.filename, to)
      if (why) context.report({ node: source, messageId: 'layers', data: { why } })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

const IMPORTS = {
  files: ['src/*/**'],
  plugins: { layers: { rules: { imports: rule } } },
  rules: { 'layers/imports': 'error' },
}

/** board/model is plain TypeScript. */
const NO_SVELTE = {
  files: ['src/board/model/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: '^svelte|\\.svelte$', message: 'board/model is plain TypeScript.' }] },
    ],
  },
}

/** Dynamic imports load whole pages, in app; and kernel, local games, coach and desk, each in its `lazy.ts`. */
const NO_DYNAMIC_IMPORTS = {
  files: ['src/**'],
  ignores: ['src/app/**', 'src/*/lazy.ts'],
  rules: { 'no-restricted-syntax': ['error', 'ImportExpression'] },
}

/** Globals that throw where a browser blocks site data: only browser/storage.ts, which catches that, uses them. */
const BLOCKABLE = ['localStorage', 'sessionStorage', 'indexedDB', 'caches']
const BLOCKABLE_OF_NAVIGATOR = ['serviceWorker', 'locks', 'storage', 'cookieStore']
const MESSAGE = 'It may throw: use src/browser/storage.ts.'
const property = (object) => (property) => ({ object, property, message: MESSAGE })
const STORAGE = {
  files: ['src/**'],
  ignores: ['src/browser/**', 'src/service/**'],
  rules: {
    'no-restricted-globals': ['error', ...BLOCKABLE.map((name) => ({ name, message: MESSAGE }))],
    'no-restricted-properties': [
      'error',
      ...['window', 'self', 'globalThis'].flatMap((holder) => BLOCKABLE.map(property(holder))),
      ...BLOCKABLE_OF_NAVIGATOR.map(property('navigator')),
      property('document')('cookie'),
    ],
  },
}

export default [IMPORTS, NO_SVELTE, NO_DYNAMIC_IMPORTS, STORAGE]
