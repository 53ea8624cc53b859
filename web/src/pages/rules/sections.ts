/**
 * The sections of the rules, each with a position and an exercise. Moves are judged by the server or the kernel; this
 * module only defines when an exercise is solved.
 */
import type { PositionView } from '../../api/model'

interface ExampleState {
  readonly view: PositionView
  readonly refusal: string | null
}

export interface Section {
  readonly id: 'aim' | 'pieces' | 'add' | 'move' | 'turn' | 'jump' | 'bridge' | 'blocked' | 'end' | 'centre'
  readonly position: string
  /** The magnification, about the board's centre. */
  readonly zoom: number
  /** Whether pieces may be taken from the set. */
  readonly set: boolean
  readonly isReached: (state: ExampleState) => boolean
}

const hasManner =
  (manner: NonNullable<PositionView['last']>['manner']) =>
  ({ view }: ExampleState): boolean =>
    view.last?.manner === manner

export const SECTIONS: readonly Section[] = [
  {
    id: 'aim',
    position: 'standard w wEa5ne wEd8ne wEg11ne wEj13se wTm13n wTp13se bTe5n bEh7ne bMk8ne bTg13n bLn9n bEl15se',
    zoom: 1,
    set: true,
    isReached: ({ view }) => view.outcome?.winner === 'w',
  },
  {
    id: 'pieces',
    position: 'basic w wTf8n wCh7ne wEk8n wMg11ne wLi10n wRk12s',
    zoom: 1.75,
    set: false,
    isReached: hasManner('turn'),
  },
  {
    id: 'add',
    position: 'standard w bTd5n bEg4n wLf8nw bTl12n wEm9n wTk14se',
    zoom: 1,
    set: true,
    isReached: hasManner('add'),
  },
  {
    id: 'move',
    position: 'standard w wLi9se bTf6n bEj11nw wTm9n bCi13ne bRl6n',
    zoom: 1.25,
    set: false,
    isReached: hasManner('move'),
  },
  {
    id: 'turn',
    position: 'standard w wEi9n bTg8n bEk8ne wTk12nw',
    zoom: 2.05,
    set: false,
    isReached: hasManner('turn'),
  },
  {
    id: 'jump',
    position: 'standard w wTi9n wEi6nw bEk11se bTg8n',
    zoom: 1.85,
    set: false,
    isReached: hasManner('jump'),
  },
  {
    id: 'bridge',
    position: 'standard w wTh8n wEi6nw bTk11n bCf7ne',
    zoom: 1.85,
    set: false,
    isReached: hasManner('bridge'),
  },
  {
    id: 'blocked',
    position: 'standard w bTi9n wEk11se wTg8n bEi9ne',
    zoom: 1.9,
    set: false,
    isReached: ({ refusal }) => refusal === 'pinned',
  },
  {
    id: 'end',
    position:
      'standard w bEa5ne bEd8ne bEg11ne bEj13se bTm13n bTp13se bLn13se wTk14n ' +
      'wTk12se wTe5n wEh7ne wMm8ne wTf12n wEk14s',
    zoom: 1,
    set: false,
    isReached: ({ view }) => view.outcome?.winner === 'b',
  },
  {
    id: 'centre',
    position:
      'standard w bMb1n bTb8ne wLc3se wEc5se wTe9nw wRf5ne wEf11s bLf12nw wEg2ne bTg4n bMg11ne wMi2nw bTi10sw ' +
      'wCi16ne wLj13n bEk8sw bCk13n bRl5s wEl8ne wTm12sw wTm17s wCn7n wTn11nw wTn15s wTo12se bCp15n bEq11sw ' +
      'bRb2se bLd11se wRn15ne',
    zoom: 1,
    set: true,
    isReached: ({ view }) => view.outcome?.reason === 'centre_count',
  },
]
