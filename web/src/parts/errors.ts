/** What the server refuses, in the player's language. */
import { t, tOr } from '../i18n/index.svelte'
import { ApiError } from '../net/client'

/** A sentence for an error of the API; anything else is a fault of ours and is thrown on. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.reason) return tOr(`reason.${error.reason}`, error.message)
  return tOr(`error.${error.code}`, t('notice.failed', { message: error.message }))
}

/** What exactly is wrong with a text somebody gave: only the server knows, and only in English. */
export function faultOf(error: unknown): string {
  return error instanceof ApiError && /^invalid_(record|position)$/.test(error.code) ? error.message : ''
}
