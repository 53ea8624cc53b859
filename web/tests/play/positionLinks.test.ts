import { describe, expect, it } from 'vitest'

import { isPosition, positionPath } from '../../src/play/positionLinks'

describe('texts to take in', () => {
  it.each(['standard w', ' basic b wTd5n\n', 'standard b wTc2n bEe3sw wRi6sw'])('know a position: %s', (text) => {
    expect(isPosition(text)).toBe(true)
  })

  it.each(['', 'Td5n Tk5n', '[Rules "standard"]\nTd5n', 'standard', '(;GM[1])', 'standard w 1. Td5n'])(
    'leave everything else to be a record: %s',
    (text) => expect(isPosition(text)).toBe(false),
  )

  it('make links that read back', () => {
    const text = 'standard w wTc2n bEe3sw'
    expect(new URL(positionPath(text), 'http://localhost').searchParams.get('text')).toBe(text)
  })
})
