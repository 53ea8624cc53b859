/** News of a game come by several ways, answers and live messages, and not always in order. */
import type { Game, Thinking } from '../../api/model'

type News = Pick<Game, 'revision' | 'thinking'>

/** Whether something is known that is newer: of a later revision, or of what the computer did about this one later. */
export function isOutdated(news: News, known: News): boolean {
  if (news.revision !== known.revision) return news.revision < known.revision
  return since(news.thinking) < since(known.thinking)
}

/** Since when the computer does what it does; before all else it did nothing. */
function since({ since }: Thinking): number {
  return since === null ? 0 : Date.parse(since)
}
