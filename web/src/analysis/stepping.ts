/** Going through a tree: by keys, by the wheel, and by the buttons of `Steppers`. */
import { TYPING } from '../board/view/keys'
import { type Step, STEPS } from '../parts/steps'
import type { Studying } from './studying.svelte'

/** What a button does to a tree. */
const BUTTONS: Readonly<Record<Step, (study: Studying) => Promise<void>>> = {
  first: (study) => study.jump('first'),
  previous: (study) => study.step(-1),
  next: (study) => study.step(1),
  last: (study) => study.jump('last'),
}

/** What a key does to a tree. */
const KEYS: Readonly<Record<string, (study: Studying) => Promise<void>>> = {
  ArrowLeft: (study) => study.step(-1),
  ArrowRight: (study) => study.step(1),
  ArrowUp: (study) => study.sideways(-1),
  ArrowDown: (study) => study.sideways(1),
  ...Object.fromEntries(STEPS.map(([step, , key]) => [key, (study: Studying) => BUTTONS[step](study)])),
}

export function pressStep(study: Studying, step: Step): void {
  void BUTTONS[step](study)
}

/** Whether somebody types, or something else has understood the key already. */
export function isTaken(event: KeyboardEvent): boolean {
  return event.defaultPrevented || (event.target instanceof Element && !!event.target.closest(TYPING))
}

/** Step if the key means that; returns whether it does. On the board itself, arrows go over its spaces. */
export function pressStepKey(study: Studying, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const step = KEYS[event.key]
  const onBoard = event.target instanceof Element && event.target.closest('[data-space]')
  if (!step || (onBoard && event.key.startsWith('Arrow'))) return false
  void step(study)
  return true
}

/** So far a wheel is turned for one step. */
const NOTCH = 100

/** Over an element, a wheel steps; unless it turns a piece, or there is nothing to step through. */
export function wheelSteps(study: () => Studying | null): (element: HTMLElement) => () => void {
  let wheeled = 0
  const onwheel = (event: WheelEvent): void => {
    const stepped = study()
    if (event.ctrlKey || event.defaultPrevented || !stepped || stepped.turn.entry.source) return
    event.preventDefault()
    wheeled += event.deltaY
    if (Math.abs(wheeled) < NOTCH) return
    void stepped.step(wheeled > 0 ? 1 : -1)
    wheeled = 0
  }
  return (element) => {
    element.addEventListener('wheel', onwheel, { passive: false })
    return () => element.removeEventListener('wheel', onwheel)
  }
}
