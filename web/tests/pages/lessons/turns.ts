/** What may be played. */
import { KINDS, type PositionView } from '../../../src/api/model'
import { Legal } from '../../../src/board/model/legal'
import { moveText } from '../../../src/board/model/moves'
import type { Shape } from '../../../src/board/model/shape'

/** Every turn allowed. */
export function turnsOf(shape: Shape, view: PositionView): string[] {
  const legal = new Legal(shape, view.legal)
  const sources = [
    ...KINDS.map((kind) => ({ from: 'set' as const, kind })),
    ...view.pieces
      .filter((piece) => piece.colour === view.turn && piece.free)
      .map(({ id, kind, space }) => ({ from: 'board' as const, kind, piece: id, space })),
  ]
  return sources.flatMap((source) =>
    [...legal.targets(source)].flatMap(([space, headings]) =>
      headings.map((heading) => moveText(source, space, heading)),
    ),
  )
}
