/** Copy a text; returns whether it worked, and the words to show: browsers may refuse. */
import { t } from '../i18n/index.svelte'

export async function copyText(text: string): Promise<{ readonly isCopied: boolean; readonly words: string }> {
  try {
    await navigator.clipboard.writeText(text)
    return { isCopied: true, words: t('notice.copied') }
  } catch {
    return { isCopied: false, words: t('notice.copy_failed') }
  }
}
