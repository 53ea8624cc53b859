/** Why a page shows no board, in words. */
import { ApiError } from '../api/client'
import { t } from '../i18n/index.svelte'
import { errorWords, faultWords } from '../ui/errors'
import { BadLink } from './textLink'

export interface LoadError {
  readonly words: string
  /** What exactly is wrong; empty if nothing better can be said. */
  readonly fault: string
}

/** The words for any error: for a fault of ours too, so that nobody is left waiting. The console has it all. */
export function toLoadError(error: unknown): LoadError {
  if (error instanceof BadLink) return { words: t('analysis.bad_link'), fault: '' }
  if (error instanceof ApiError) return { words: errorWords(error), fault: faultWords(error) }
  reportError(error)
  return { words: t('notice.failed', { message: String(error) }), fault: '' }
}
