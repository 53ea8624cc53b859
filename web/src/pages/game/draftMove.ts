/**
 * A turn entered halfway outlives a reload: noted for this window, by game, and taken up again only in the very
 * revision it was meant for. Whether it is still possible there, the entry itself decides.
 */
import { type Game, type Heading, HEADINGS, KINDS, type SpaceName } from '../../api/model'
import type { Entry } from '../../board/model/entry'
import type { Source } from '../../board/model/legal'
import { readJson, writeJson } from '../../browser/storage'

type Noted = Pick<Game, 'id' | 'revision' | 'view'>

export interface DraftMove {
  readonly source: Source
  readonly target: SpaceName | null
  readonly heading: Heading
}

const keyOf = (id: string): string => `punct.turn.${id}`

/** Note how far a turn has come; nothing begun is nothing noted. */
export function saveDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  { id, revision }: Pick<Game, 'id' | 'revision'>,
  { source, target, heading }: Pick<Entry, 'source' | 'target' | 'heading'>,
): void {
  if (!source) return storage.removeItem(keyOf(id))
  const piece = source.from === 'set' ? { kind: source.kind } : { piece: source.piece }
  writeJson(storage, keyOf(id), { revision, ...piece, target, heading })
}

/** The turn that was entered halfway in this revision of a game, if there is one. */
export function loadDraft(storage: Pick<Storage, 'getItem'>, { id, revision, view }: Noted): DraftMove | null {
  const noted = readJson(storage, keyOf(id))
  const heading = HEADINGS.find((candidate) => candidate === noted['heading'])
  const source = sourceOf(noted, view)
  if (noted['revision'] !== revision || !heading || !source) return null
  return { source, target: typeof noted['target'] === 'string' ? noted['target'] : null, heading }
}

function sourceOf(noted: Readonly<Record<string, unknown>>, view: Game['view']): Source | null {
  const kind = KINDS.find((candidate) => candidate === noted['kind'])
  if (kind) return { from: 'set', kind }
  const piece = view.pieces.find(({ id }) => id === noted['piece'])
  return piece ? { from: 'board', kind: piece.kind, piece: piece.id, space: piece.space } : null
}
