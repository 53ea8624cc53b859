// @vitest-environment node
/** Lint finds what runs handlers inside a teardown, however that is written, and not what waits for a tick. */
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const eslint = new ESLint({ cwd: new URL('../', import.meta.url).pathname })

async function faults(script: string, markup = ''): Promise<number> {
  const code = `<script lang="ts">\n${script}\n</script>\n${markup}\n`
  const [result] = await eslint.lintText(code, { filePath: 'src/coach/Planted.svelte' })
  return (result?.messages ?? []).filter(({ ruleId }) => ruleId === 'punct/no-handlers-in-teardown').length
}

const ATTACHED = '<p {@attach held}></p>'

it.each([
  [`onMount(() => { return () => before.focus() })`],
  [`onMount(() => () => before?.focus({ preventScroll: true }))`],
  [`onMount(function () { return function () { if (before) before.blur() } })`],
  [`$effect(() => () => before.click())`],
  [`$effect.pre(() => { if (open) return () => { for (const one of all) one.dispatchEvent(new Event('x')) } })`],
  [`$effect.root(() => () => onleave())`],
  [`$effect(() => () => board?.takeFocus())`],
  [`onDestroy(() => before.focus())`],
  [`onDestroy(function () { onleave() })`],
  [`function held(node: Element) { return () => before.focus() }`, ATTACHED],
  [`const held = (node: Element) => () => before.focus()`, ATTACHED],
  [`function held(node: Element) { return { destroy: () => before.focus() } }`, '<p use:held></p>'],
  [``, `<p {@attach () => () => before.focus()}></p>`],
])('%s %s is found', async (script, markup = '') => expect(await faults(script, markup)).toBe(1))

it.each([
  [`onMount(() => { before.focus() })`],
  [`onMount(() => () => void returnFocus(before, onleave))`],
  [`onMount(() => () => void tick().then(() => before.focus()))`],
  [`$effect(() => { before.focus(); return () => clearTimeout(timer) })`],
  [`$effect(() => () => setTimeout(() => onleave()))`],
  [`const pressed = (which: HTMLElement) => () => which.focus()`],
  [`function held(node: HTMLElement) { node.focus() }`, ATTACHED],
  [``, `<p {@attach (node) => node.focus()}></p>`],
])('%s %s is fine', async (script, markup = '') => expect(await faults(script, markup)).toBe(0))
