/** What may be played. */
import { Legal } from '../../src/board/model/legal'
import type { Shape } from '../../src/board/model/shape'
import { turnText } from '../../src/board/model/turns'
import { KINDS, type PositionView } from '../../src/net/model'

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
      headings.map((heading) => turnText(source, space, heading)),
    ),
  )
}
