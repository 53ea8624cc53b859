/** Stepping through a tree: by keys, by the wheel, and by the buttons of `StudyControls`. */
import { TYPING } from '../board/view/keys'
import { type Step, STEPS } from '../ui/steps'
import type { Study } from './study.svelte'

/** What a button does to a tree. */
const BUTTONS: Readonly<Record<Step, (study: Study) => Promise<void>>> = {
  first: (study) => study.jump('first'),
  previous: (study) => study.step(-1),
  next: (study) => study.step(1),
  last: (study) => study.jump('last'),
}

/** What a key does to a tree. */
const KEYS: Readonly<Record<string, (study: Study) => Promise<void>>> = {
  ArrowLeft: (study) => study.step(-1),
  ArrowRight: (study) => study.step(1),
  ArrowUp: (study) => study.sideways(-1),
  ArrowDown: (study) => study.sideways(1),
  ...Object.fromEntries(STEPS.map(([step, , key]) => [key, (study: Study) => BUTTONS[step](study)])),
}

export function pressStep(study: Study, step: Step): void {
  void BUTTONS[step](study)
}

/** Whether the key is typed into a field, or was handled already. */
export function isKeyHandled(event: KeyboardEvent): boolean {
  return event.defaultPrevented || (event.target instanceof Element && !!event.target.closest(TYPING))
}

/** Step if the key means that; returns whether it does. On the board itself, arrows go over its spaces. */
export function pressStepKey(study: Study, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const step = KEYS[event.key]
  const isOnBoard = event.target instanceof Element && event.target.closest('[data-space]')
  if (!step || (isOnBoard && event.key.startsWith('Arrow'))) return false
  void step(study)
  return true
}

/** The wheel's movement for one step. */
const STEP_PIXELS = 100

/** Step by the wheel over an element; unless it rotates a piece, or there is nothing to step through. */
export function wheelSteps(study: () => Study | null): (element: HTMLElement) => () => void {
  let distance = 0
  const onwheel = (event: WheelEvent): void => {
    const current = study()
    if (event.ctrlKey || event.defaultPrevented || !current || current.board.moveEntry.entry.source) return
    event.preventDefault()
    distance += event.deltaY
    if (Math.abs(distance) < STEP_PIXELS) return
    void current.step(distance > 0 ? 1 : -1)
    distance = 0
  }
  return (element) => {
    element.addEventListener('wheel', onwheel, { passive: false })
    return () => element.removeEventListener('wheel', onwheel)
  }
}
