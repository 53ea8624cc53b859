/** An editable tree of moves: the position shown, the moves played from there, and the history of edits. */
import type { PositionView } from '../api/model'
import { positionWords } from '../board/view/words'
import { type BoardSetup, MoveBoard } from '../play/moveBoard.svelte'
import { Latest, STALE } from '../requests/latest'
import { edit, type EditHistory, moveTo, newHistory, rebase, redo, type TreeCursor, undo } from './editHistory'
import {
  add,
  addAll,
  comment,
  hasNode,
  mark,
  type Mark,
  nodeAt,
  parentOf,
  type Path,
  promote,
  remove,
  siblingOf,
  toEnd,
  type Tree,
  movesTo,
} from './tree'

const MAX_CACHED_VIEWS = 400

export class Study {
  #edits: EditHistory = $state.raw() as EditHistory
  readonly board: MoveBoard
  readonly #viewCache = new Map<string, PositionView>()
  readonly #viewRequests = new Latest()
  /** The edits whose position is still on its way. */
  #pending: EditHistory | null = null

  constructor(setup: BoardSetup, cursor: TreeCursor) {
    this.#edits = newHistory(cursor)
    this.#cacheView(movesTo(cursor.tree, cursor.path), setup.view)
    this.board = new MoveBoard(setup, {
      position: () => ({ start: this.tree.start, turns: this.moves }),
      play: (text) => this.#play(text),
    })
  }

  get tree(): Tree {
    return this.#edits.current.tree
  }

  get path(): Path {
    return this.#edits.current.path
  }

  readonly moves: readonly string[] = $derived.by(() => movesTo(this.tree, this.path))
  readonly node = $derived.by(() => nodeAt(this.tree, this.path))
  readonly canUndo = $derived.by(() => this.#edits.undoable.length > 0)
  readonly canRedo = $derived.by(() => this.#edits.redoable.length > 0)

  /**
   * Add a move to the position that it was entered on. If the player steps on before it is judged, the step starts
   * from the move, and the move stays in the tree.
   */
  async #play(text: string): Promise<void> {
    const view = await this.#apply(edit(this.#edits, add(this.tree, this.path, text)))
    if (view) this.board.say(positionWords(view))
  }

  // ---------------------------------------------------------------- navigation

  async moveTo(path: Path): Promise<void> {
    this.#announce(await this.#apply(moveTo(this.#latest, path)))
  }

  /** Step along the main continuation, or back. */
  step(by: 1 | -1): Promise<void> {
    const { tree, path } = this.#latest.current
    if (by < 0) return this.moveTo(parentOf(path))
    return nodeAt(tree, path).next.length ? this.moveTo([...path, 0]) : Promise.resolve()
  }

  jump(to: 'first' | 'last'): Promise<void> {
    const { tree, path } = this.#latest.current
    return this.moveTo(to === 'first' ? [] : toEnd(tree, path))
  }

  /** Move to the next variation that branches off at the same position. */
  sideways(by: 1 | -1): Promise<void> {
    const { tree, path } = this.#latest.current
    return this.moveTo(siblingOf(tree, path, by))
  }

  // ---------------------------------------------------------------- editing

  /** Add a variation to the position shown, or to another one. */
  playAll(moves: readonly string[], from: Path = this.path): Promise<void> {
    return this.#edit(({ tree, path }) => addAll(tree, hasNode(tree, from) ? from : path, moves))
  }

  remove(): Promise<void> {
    return this.#edit(({ tree, path }) => remove(tree, path))
  }

  promote(): Promise<void> {
    return this.#edit(({ tree, path }) => promote(tree, path))
  }

  comment(text: string): void {
    const path = this.path
    this.amend((tree) => comment(tree, path, text))
  }

  mark(newMark: Mark | null): void {
    const path = this.path
    this.amend((tree) => mark(tree, path, newMark))
  }

  /** Change comments and marks in the tree, or add to it; the position shown stays. */
  amend(change: (tree: Tree) => Tree): void {
    const apply = (edits: EditHistory): EditHistory =>
      edit(edits, { tree: change(edits.current.tree), path: edits.current.path })
    this.#edits = apply(this.#edits)
    if (this.#pending) this.#pending = apply(this.#pending)
  }

  async undo(): Promise<void> {
    this.#announce(await this.#apply(undo(this.#latest)))
  }

  async redo(): Promise<void> {
    this.#announce(await this.#apply(redo(this.#latest)))
  }

  /** Begin with another tree, at its start or at a path; this can be undone. */
  begin(tree: Tree, path: Path = []): Promise<void> {
    return this.#edit(() => ({ tree, path }))
  }

  /**
   * Take over what happened elsewhere: it is no edit, and stays when the player's own edits are undone. The position
   * shown stays too, unless its moves are gone.
   */
  async rebase(change: (tree: Tree) => Tree): Promise<void> {
    const lengths = (): string => `${this.path.length} ${this.#latest.current.path.length}`
    const before = lengths()
    this.#edits = rebase(this.#edits, change)
    if (this.#pending) this.#pending = rebase(this.#pending, change)
    if (lengths() !== before) this.#announce(await this.#apply(this.#latest))
  }

  // ---------------------------------------------------------------- internals

  /** The edits that are shown, or will be once their position is known: quick steps go on from there. */
  get #latest(): EditHistory {
    return this.#pending ?? this.#edits
  }

  async #edit(change: (cursor: TreeCursor) => TreeCursor): Promise<void> {
    this.#announce(await this.#apply(edit(this.#latest, change(this.#latest.current))))
  }

  #announce(view: PositionView | null): void {
    if (view) this.board.announcer.say(positionWords(view))
  }

  /** Show the position that edits lead to, once it is known; null if there is none, and everything stays. */
  async #apply(edits: EditHistory): Promise<PositionView | null> {
    const { board } = this
    const { tree, path } = edits.current
    const moves = movesTo(tree, path)
    this.#pending = edits
    try {
      const cached = this.#viewCache.get(keyOf(tree.start, moves))
      if (cached) this.#viewRequests.invalidate()
      const view = cached ?? (await this.#viewRequests.run(() => board.judge.view(tree.start, moves)))
      if (view === STALE) return null
      this.#edits = this.#latest
      this.#pending = null
      this.#cacheView(moves, view)
      board.message = null
      board.show(view)
      return view
    } catch (error) {
      this.#pending = null
      board.sayError(error)
      board.moveEntry.act({ do: 'answered' })
      return null
    }
  }

  #cacheView(moves: readonly string[], view: PositionView): void {
    const key = keyOf(this.tree.start, moves)
    this.#viewCache.delete(key)
    this.#viewCache.set(key, view)
    const oldest = this.#viewCache.keys().next().value
    if (this.#viewCache.size > MAX_CACHED_VIEWS && oldest !== undefined) this.#viewCache.delete(oldest)
  }
}

function keyOf(start: string, moves: readonly string[]): string {
  return [start, ...moves].join('|')
}
