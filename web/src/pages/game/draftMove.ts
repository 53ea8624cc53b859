/**
 * Stores a move in progress over a reload: for this window, by game, and resumed only in the very revision it was
 * entered for. Whether it is still possible there, the entry itself decides.
 */
import { type Game, type Heading, HEADINGS, KINDS, type SpaceName } from '../../api/model'
import type { Entry } from '../../board/model/entry'
import type { Source } from '../../board/model/legal'
import { readJson, writeJson } from '../../browser/storage'

type DraftGame = Pick<Game, 'id' | 'revision' | 'view'>

export interface DraftMove {
  readonly source: Source
  readonly target: SpaceName | null
  readonly heading: Heading
}

const keyOf = (id: string): string => `punct.turn.${id}`

/** Store a move in progress, if there is one. */
export function saveDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  { id, revision }: Pick<Game, 'id' | 'revision'>,
  { source, target, heading }: Pick<Entry, 'source' | 'target' | 'heading'>,
): void {
  if (!source) return storage.removeItem(keyOf(id))
  const piece = source.from === 'set' ? { kind: source.kind } : { piece: source.piece }
  writeJson(storage, keyOf(id), { revision, ...piece, target, heading })
}

/** The move in progress of this revision of a game, if there is one. */
export function loadDraft(storage: Pick<Storage, 'getItem'>, { id, revision, view }: DraftGame): DraftMove | null {
  const stored = readJson(storage, keyOf(id))
  const heading = HEADINGS.find((candidate) => candidate === stored['heading'])
  const source = sourceOf(stored, view)
  if (stored['revision'] !== revision || !heading || !source) return null
  return { source, target: typeof stored['target'] === 'string' ? stored['target'] : null, heading }
}

function sourceOf(stored: Readonly<Record<string, unknown>>, view: Game['view']): Source | null {
  const kind = KINDS.find((candidate) => candidate === stored['kind'])
  if (kind) return { from: 'set', kind }
  const piece = view.pieces.find(({ id }) => id === stored['piece'])
  return piece ? { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space } : null
}
