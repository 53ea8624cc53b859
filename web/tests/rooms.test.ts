// @vitest-environment node
/** Who may use whom is held by lint: every way round it that is planted here is found, in components too. */
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const eslint = new ESLint({ cwd: new URL('../', import.meta.url).pathname })

async function faults(filePath: string, line: string): Promise<(string | null)[]> {
  const code = filePath.endsWith('.svelte') ? `<script lang="ts">\n  ${line}\n</script>\n` : `${line}\n`
  const [result] = await eslint.lintText(code, { filePath })
  return (result?.messages ?? []).map(({ ruleId }) => ruleId).filter((rule) => rule?.startsWith('no-restricted'))
}

it.each([
  ['src/home/Planted.svelte', `import View from '../game/GameView.svelte'`],
  ['src/learn/planted.ts', `import { placeOf } from '../shell/places'`],
  ['src/parts/planted.ts', `import { judged } from '../coach/judging'`],
  ['src/coach/planted.ts', `import { Studying } from '../analysis/studying.svelte'`],
  ['src/parts/Planted.svelte', `import type { Section } from '../learn/sections'`],
  ['src/board/view/Planted.svelte', `import Icon from '../../parts/Icon.svelte'`],
  ['src/board/view/planted.ts', `import { api } from '../../net/client'`],
  ['src/board/model/planted.ts', `import { spaceWords } from '../view/words'`],
  ['src/board/model/planted.ts', `import { tick } from 'svelte'`],
  ['src/board/model/planted.ts', `export { t } from '../../i18n/index.svelte'`],
  ['src/net/planted.ts', `export * from '../board/model/shape'`],
  ['src/i18n/planted.ts', `import { api } from '../net/client'`],
  ['src/kernel/planted.ts', `import { SHAPE } from '../board/model/shape'`],
  ['src/net/planted.ts', `import { openKernel } from '../kernel/kernel'`],
  ['src/game/planted.ts', `export const later = () => import('../home/HomePage.svelte')`],
  ['src/browser/planted.ts', `import { api } from '../net/client'`],
  ['src/parts/planted.ts', `export const kept = localStorage.getItem('kept')`],
  ['src/game/Planted.svelte', `const kept = window.sessionStorage.getItem('kept')`],
  ['src/local/planted.ts', `export const { databases } = indexedDB`],
  ['src/shell/planted.ts', `export const { serviceWorker } = navigator`],
  ['src/local/planted.ts', `export const lock = () => navigator.locks.request('one', () => undefined)`],
])('%s: %s is found', async (path, line) => expect(await faults(path, line)).not.toEqual([]))

it.each([
  ['src/shell/planted.ts', `export const later = () => import('../home/HomePage.svelte')`],
  ['src/home/Planted.svelte', `import Board from '../board/view/Board.svelte'`],
  ['src/game/planted.ts', `import { judged } from '../coach/judging'`],
  ['src/parts/planted.ts', `import { api } from '../net/client'`],
  ['src/board/view/planted.ts', `import { t } from '../../i18n/index.svelte'`],
  ['src/board/model/planted.ts', `import { KINDS } from '../../net/model'`],
  ['src/net/planted.ts', `import type { Game } from './model'`],
  ['src/learn/planted.ts', `import { openKernel } from '../kernel/kernel'`],
  ['src/i18n/planted.ts', `import { localShelf } from '../browser/storage'`],
  ['src/browser/planted.ts', `export const kept = () => localStorage`],
  ['src/service/planted.ts', `export const kept = () => caches.open('kept')`],
])('%s: %s is fine', async (path, line) => expect(await faults(path, line)).toEqual([]))
