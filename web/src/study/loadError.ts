/** Why a page shows no board, in words. */
import { ApiError } from '../api/client'
import { t } from '../i18n/index.svelte'
import { errorWords, faultWords } from '../ui/errors'
import { BadLink } from './textLink'

export interface LoadError {
  readonly words: string
  /** What exactly is wrong; nothing if that cannot be said any better. */
  readonly fault: string
}

/** A fault of ours is said too, as well as it can be: nobody is left waiting. The console has it all. */
export function loadErrorOf(error: unknown): LoadError {
  if (error instanceof BadLink) return { words: t('analysis.bad_link'), fault: '' }
  if (error instanceof ApiError) return { words: errorWords(error), fault: faultWords(error) }
  reportError(error)
  return { words: t('notice.failed', { message: String(error) }), fault: '' }
}
