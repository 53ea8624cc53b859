import { describe, expect, it } from 'vitest'

import type { Explanation, Heading } from '../../../src/api/model'
import { refusalWords } from '../../../src/board/view/words'

const refused = (reasons: Partial<Record<Heading, string>>, reason: string): Explanation => ({
  legal: false,
  turn: null,
  reason,
  section: 'E',
  sentence: 'in English',
  spaces: [],
  headings: (Object.keys(reasons) as Heading[]).map((heading) => ({ heading, reason: reasons[heading] ?? null })),
})

describe('why something may not be played', () => {
  it('is one sentence if all headings break one rule', () => {
    const found = refused({ n: 'PUNCT_ON_OPPONENT', se: 'PUNCT_ON_OPPONENT' }, 'PUNCT_ON_OPPONENT')
    expect(refusalWords(found)).toBe('The PÜNCT may only land on a piece of your own.')
  })

  it('counts the headings if they break different ones, most first', () => {
    const found = refused({ n: 'MOVED_OFF_BOARD', ne: 'ENDS_NOT_LEVEL', se: 'ENDS_NOT_LEVEL' }, 'ENDS_NOT_LEVEL')
    expect(refusalWords(found)).toBe('No heading fits here: 2 × the ends not level, 1 × a dot off the board.')
  })

  it('is what the server says where the page knows no better', () => {
    expect(refusalWords(refused({ n: 'NEW_RULE' }, 'NEW_RULE'))).toBe('in English')
  })
})
