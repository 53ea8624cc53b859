/** A tree that is being worked on: the moment looked at, turns tried from there, and every edit undoable. */
import type { Shape } from '../board/model/shape'
import { momentWords } from '../board/view/words'
import type { PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import type { Judge } from '../parts/judge'
import { type Habits, Trying } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { Latest, STALE } from '../requests/latest'
import { begun, edit, type Edits, look, redo, type Study, undo } from './model/edits'
import {
  add,
  addAll,
  at,
  before,
  beside,
  comment,
  has,
  mark,
  type Mark,
  type Path,
  promote,
  remove,
  toEnd,
  type Tree,
  turnsTo,
} from './model/tree'

/** So many positions are not asked for again. */
const KEPT = 400

export class Studying extends Trying {
  #edits: Edits = $state.raw() as Edits
  readonly #views = new Map<string, PositionView>()
  readonly #asked = new Latest()
  /** What has been asked for, and whose position is not known yet. */
  #coming: Edits | null = null

  constructor(shape: Shape, view: PositionView, study: Study, habits: () => Habits, judge: Judge, voice?: Voice) {
    super(shape, view, habits, judge, voice)
    this.#edits = begun(study)
    this.#keep(turnsTo(study.tree, study.path), view)
  }

  get tree(): Tree {
    return this.#edits.now.tree
  }

  get path(): Path {
    return this.#edits.now.path
  }

  readonly turns: readonly string[] = $derived.by(() => turnsTo(this.tree, this.path))
  readonly here = $derived.by(() => at(this.tree, this.path))
  readonly mayUndo = $derived.by(() => this.#edits.done.length > 0)
  readonly mayRedo = $derived.by(() => this.#edits.undone.length > 0)

  protected position(): { start: string; turns: readonly string[] } {
    return { start: this.tree.start, turns: this.turns }
  }

  /**
   * A move belongs to the board that it was entered on. Whoever steps on before it is judged goes on from it, and it
   * stays in the tree.
   */
  protected override async playMove(text: string): Promise<void> {
    const view = await this.#to(edit(this.#edits, add(this.tree, this.path, text)))
    if (view) this.say(momentWords(view))
  }

  // ---------------------------------------------------------------- looking

  async look(path: Path): Promise<void> {
    this.#tell(await this.#to(look(this.#latest, path)))
  }

  /** Along the main continuation from here, or back. */
  step(by: 1 | -1): Promise<void> {
    const { tree, path } = this.#latest.now
    if (by < 0) return this.look(before(path))
    return at(tree, path).next.length ? this.look([...path, 0]) : Promise.resolve()
  }

  jump(to: 'first' | 'last'): Promise<void> {
    const { tree, path } = this.#latest.now
    return this.look(to === 'first' ? [] : toEnd(tree, path))
  }

  /** To the next variation that branches off where this one does. */
  sideways(by: 1 | -1): Promise<void> {
    const { tree, path } = this.#latest.now
    return this.look(beside(tree, path, by))
  }

  // ---------------------------------------------------------------- editing

  /** Play turns that somebody else has found, one by one: for the board as it is shown, or for another moment. */
  playAll(turns: readonly string[], from: Path = this.path): Promise<void> {
    return this.#edit(({ tree, path }) => addAll(tree, has(tree, from) ? from : path, turns))
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

  mark(with_: Mark | null): void {
    const path = this.path
    this.amend((tree) => mark(tree, path, with_))
  }

  /** Change what is said in the tree, or add to it; the same moment is looked at. */
  amend(change: (tree: Tree) => Tree): void {
    const amended = (edits: Edits): Edits => edit(edits, { tree: change(edits.now.tree), path: edits.now.path })
    this.#edits = amended(this.#edits)
    if (this.#coming) this.#coming = amended(this.#coming)
  }

  async undo(): Promise<void> {
    this.#tell(await this.#to(undo(this.#latest)))
  }

  async redo(): Promise<void> {
    this.#tell(await this.#to(redo(this.#latest)))
  }

  /** Begin with another tree; the one before can be had back. */
  begin(tree: Tree): Promise<void> {
    return this.#edit(() => ({ tree, path: [] }))
  }

  // ---------------------------------------------------------------- within

  /** What is shown, or will be as soon as its position is known: whoever steps quickly goes on from there. */
  get #latest(): Edits {
    return this.#coming ?? this.#edits
  }

  async #edit(change: (now: Study) => Study): Promise<void> {
    this.#tell(await this.#to(edit(this.#latest, change(this.#latest.now))))
  }

  /** Tell those who do not see the board what has come onto it. */
  #tell(view: PositionView | null): void {
    if (view) this.voice.say(momentWords(view))
  }

  /** Show what an edit or a look leads to, once its position is known; null if there is none, and everything stays. */
  async #to(edits: Edits): Promise<PositionView | null> {
    const { tree, path } = edits.now
    const turns = turnsTo(tree, path)
    this.#coming = edits
    try {
      const known = this.#views.get(keyOf(tree.start, turns))
      if (known) this.#asked.drop()
      const view = known ?? (await this.#asked.ask(() => this.judge.view(tree.start, turns)))
      if (view === STALE) return null
      this.#edits = this.#latest
      this.#coming = null
      this.#keep(turns, view)
      this.word = null
      this.show(view)
      return view
    } catch (error) {
      this.#coming = null
      this.say(errorWords(error), 'refusal')
      this.turn.act({ do: 'answered' })
      return null
    }
  }

  #keep(turns: readonly string[], view: PositionView): void {
    const key = keyOf(this.tree.start, turns)
    this.#views.delete(key)
    this.#views.set(key, view)
    const oldest = this.#views.keys().next().value
    if (this.#views.size > KEPT && oldest !== undefined) this.#views.delete(oldest)
  }
}

function keyOf(start: string, turns: readonly string[]): string {
  return [start, ...turns].join('|')
}
