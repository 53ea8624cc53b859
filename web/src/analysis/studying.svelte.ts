/** A tree that is being worked on: the moment looked at, turns tried from there, and every edit undoable. */
import type { Shape } from '../board/model/shape'
import { momentWords } from '../board/view/words'
import type { PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import type { Judge } from '../parts/judge'
import { type Habits, Trying } from '../parts/trying.svelte'
import type { Voice } from '../parts/voice.svelte'
import { begun, edit, type Edits, look, redo, type Study, undo } from './model/edits'
import {
  add,
  addAll,
  at,
  before,
  beside,
  comment,
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
  /** Asked last: what comes later of an earlier question is not shown. */
  #asked = 0
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

  protected played(text: string, view: PositionView): void {
    this.#asked += 1
    this.#coming = null
    this.#edits = edit(this.#edits, add(this.tree, this.path, text))
    this.#keep(this.turns, view)
  }

  // ---------------------------------------------------------------- looking

  look(path: Path): Promise<void> {
    return this.#to(look(this.#latest, path))
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

  /** Play turns that somebody else has found, one after another. */
  playAll(turns: readonly string[]): Promise<void> {
    return this.#edit(({ tree, path }) => addAll(tree, path, turns))
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

  undo(): Promise<void> {
    return this.#to(undo(this.#latest))
  }

  redo(): Promise<void> {
    return this.#to(redo(this.#latest))
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

  #edit(change: (now: Study) => Study): Promise<void> {
    return this.#to(edit(this.#latest, change(this.#latest.now)))
  }

  /** Show what an edit or a look leads to, once its position is known; if there is none, everything stays. */
  async #to(edits: Edits): Promise<void> {
    const { tree, path } = edits.now
    const turns = turnsTo(tree, path)
    const asked = ++this.#asked
    this.#coming = edits
    try {
      const view = this.#views.get(keyOf(tree.start, turns)) ?? (await this.judge.view(tree.start, turns))
      if (asked !== this.#asked) return
      this.#edits = this.#latest
      this.#keep(turns, view)
      this.word = null
      this.show(view)
      this.voice.say(momentWords(view))
    } catch (error) {
      if (asked !== this.#asked) return
      this.say(errorWords(error), 'refusal')
    }
    this.#coming = null
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
