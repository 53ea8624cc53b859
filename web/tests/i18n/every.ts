/** Everything the page says in a language, all chapters together. */
import type { Messages } from '../../src/i18n/index.svelte'

const files = import.meta.glob<Messages>('../../src/i18n/*/*.json', { import: 'default', eager: true })

export function everyMessage(code: string): Messages {
  const ours = Object.entries(files).filter(([path]) => path.endsWith(`/${code}.json`))
  return Object.fromEntries(ours.flatMap(([, messages]) => Object.entries(messages)))
}
