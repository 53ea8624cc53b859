/** Errors of the API in the player's language. */
import { ApiError, OFFLINE } from '../api/client'
import { HAS_SERVER } from '../api/connection.svelte'
import { t, tOr } from '../i18n/index.svelte'

/** A sentence for an error of the API; any other error is a fault of ours and is thrown on. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.code === OFFLINE && !HAS_SERVER) return t('offline.no_server')
  if (error.code === 'illegal_turn' && error.reason) return tOr(`reason.${error.reason}`, error.message)
  return tOr(`error.${error.code}`, t('notice.failed', { message: error.message }))
}

/** What exactly is wrong with an entered text, and where; empty if nothing better can be said. */
export function faultWords(error: unknown): string {
  if (!(error instanceof ApiError)) return ''
  const { fault, token, line, game } = error.detail
  const word = typeof token === 'string' ? token : ''
  const reason = error.reason ? `${word}: ${tOr(`reason.${error.reason}`, '')}` : ''
  const words = reason || tOr(`wrong.${String(fault)}`, '', { token: word })
  if (!words || typeof line !== 'number') return words
  if (typeof game === 'number' && game > 1) return t('wrong.game', { game, line, fault: words })
  return t('wrong.line', { line, fault: words })
}
