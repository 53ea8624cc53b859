/** Copy a text; returns whether it worked, and the words to show: browsers may refuse. */
import { t } from '../i18n/index.svelte'

/** The code by which another site shows the board of a page: a game, a puzzle or a shared analysis. */
export function embedCode(path: string): string {
  const address = `${location.origin}/embed${path}`
  const style = 'border:0;max-width:100%'
  return `<iframe src="${address}" title="PÜNCT" width="480" height="560" loading="lazy" style="${style}"></iframe>`
}

export async function copyText(text: string): Promise<{ readonly isCopied: boolean; readonly words: string }> {
  try {
    await navigator.clipboard.writeText(text)
    return { isCopied: true, words: t('notice.copied') }
  } catch {
    return { isCopied: false, words: t('notice.copy_failed') }
  }
}
