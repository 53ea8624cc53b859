/** Copying for the player, who is told whether it worked: browsers may refuse. */
import { t } from '../i18n/index.svelte'

export async function copyText(text: string): Promise<{ readonly copied: boolean; readonly words: string }> {
  try {
    await navigator.clipboard.writeText(text)
    return { copied: true, words: t('notice.copied') }
  } catch {
    return { copied: false, words: t('notice.copy_failed') }
  }
}
