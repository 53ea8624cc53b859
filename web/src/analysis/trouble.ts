/** Why a page shows no board, in words. */
import { t } from '../i18n/index.svelte'
import { ApiError } from '../net/client'
import { errorWords, faultOf } from '../parts/errors'
import { BadLink } from './model/share'

export interface Trouble {
  readonly words: string
  /** What exactly is wrong; nothing if that cannot be said any better. */
  readonly fault: string
}

/** A fault of ours is said too, as well as it can be: nobody is left waiting. The console has it all. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof BadLink) return { words: t('analysis.bad_link'), fault: '' }
  if (error instanceof ApiError) return { words: errorWords(error), fault: faultOf(error) }
  reportError(error)
  return { words: t('notice.failed', { message: String(error) }), fault: '' }
}
