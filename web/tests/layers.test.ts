// @vitest-environment node
/** Lint rejects every import that points up or across, in components too, however it is written. */
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const eslint = new ESLint({ cwd: new URL('../', import.meta.url).pathname })

async function faults(filePath: string, line: string): Promise<(string | null)[]> {
  const code = filePath.endsWith('.svelte') ? `<script lang="ts">\n  ${line}\n</script>\n` : `${line}\n`
  const [result] = await eslint.lintText(code, { filePath })
  return (result?.messages ?? [])
    .map(({ ruleId }) => ruleId)
    .filter((rule) => /^no-restricted|^layers/.test(rule ?? ''))
}

it.each([
  ['src/pages/home/Planted.svelte', `import View from '../game/GameView.svelte'`],
  ['src/pages/lobby/planted.ts', `import { poolWords } from '../../pages/players/planted'`],
  ['src/pages/lessons/planted.ts', `import { routeOf } from '../../app/routes'`],
  ['src/play/planted.ts', `import { judged } from '../coach/judgements'`],
  ['src/coach/planted.ts', `import { Engine } from '../pages/analysis/engine.svelte'`],
  ['src/ui/Planted.svelte', `import type { Section } from '../pages/rules/sections'`],
  ['src/ui/planted.ts', `import { me } from '../session/me.svelte'`],
  ['src/session/planted.ts', `import { nameAt } from '../games/seats'`],
  ['src/board/view/Planted.svelte', `import Icon from '../../ui/Icon.svelte'`],
  ['src/board/view/planted.ts', `import { api } from '../../api/client'`],
  ['src/board/model/planted.ts', `import { spaceWords } from '../view/words'`],
  ['src/board/model/planted.ts', `import { tick } from 'svelte'`],
  ['src/board/model/planted.ts', `export { t } from '../../i18n/index.svelte'`],
  ['src/api/planted.ts', `export * from '../board/model/shape'`],
  ['src/i18n/planted.ts', `import { api } from '../api/client'`],
  ['src/kernel/planted.ts', `import { SHAPE } from '../board/model/shape'`],
  ['src/api/planted.ts', `import { openKernel } from '../kernel/kernel'`],
  ['src/pages/game/planted.ts', `export const load = () => import('../home/HomePage.svelte')`],
  ['src/pages/game/planted.ts', `export const load = () => import('../../kernel/kernel')`],
  ['src/kernel/lazy.ts', `export const load = () => import('../local/games')`],
  ['src/browser/planted.ts', `import { api } from '../api/client'`],
  ['src/session/planted.ts', `export const kept = localStorage.getItem('kept')`],
  ['src/pages/game/Planted.svelte', `const kept = window.sessionStorage.getItem('kept')`],
  ['src/local/planted.ts', `export const { databases } = indexedDB`],
  ['src/app/planted.ts', `export const { serviceWorker } = navigator`],
  ['src/local/planted.ts', `export const lock = () => navigator.locks.request('one', () => undefined)`],
])('%s: %s is rejected', async (path, line) => expect(await faults(path, line)).not.toEqual([]))

it.each([
  ['src/app/planted.ts', `export const load = () => import('../pages/home/HomePage.svelte')`],
  ['src/pages/home/Planted.svelte', `import Board from '../../board/view/Board.svelte'`],
  ['src/pages/game/planted.ts', `import { judged } from '../../coach/judgements'`],
  ['src/play/planted.ts', `import { api } from '../api/client'`],
  ['src/board/view/planted.ts', `import { t } from '../../i18n/index.svelte'`],
  ['src/board/model/planted.ts', `import { KINDS } from '../../api/model'`],
  ['src/api/planted.ts', `import type { Game } from './model'`],
  ['src/pages/lessons/planted.ts', `import { openKernel } from '../../kernel/kernel'`],
  ['src/coach/planted.ts', `import scale from '../../../src/punct/analysis/scale.json'`],
  ['src/i18n/planted.ts', `import { localShelf } from '../browser/storage'`],
  ['src/browser/planted.ts', `export const kept = () => localStorage`],
  ['src/service/planted.ts', `export const kept = () => caches.open('kept')`],
])('%s: %s is accepted', async (path, line) => expect(await faults(path, line)).toEqual([]))
