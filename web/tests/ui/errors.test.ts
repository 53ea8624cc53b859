import { describe, expect, it } from 'vitest'

import { ApiError } from '../../src/api/client'
import { errorWords, faultWords } from '../../src/ui/errors'

const record = (detail: Record<string, unknown>): ApiError => new ApiError(422, 'invalid_record', 'in English', detail)

describe('an error of the server', () => {
  it('is said in our words, and so is what exactly is wrong', () => {
    const error = new ApiError(422, 'invalid_position', 'in English', { fault: 'space', token: 'a9' })
    expect(errorWords(error)).toBe('That is not a position.')
    expect(faultWords(error)).toBe('There is no space a9.')
  })

  it('in a record has its line, and its game if there are several', () => {
    const detail = { fault: 'turn', token: 'hello', line: 3, game: 1, reason: null }
    expect(errorWords(record(detail))).toBe('This record cannot be read.')
    expect(faultWords(record(detail))).toBe('Line 3: “hello” is not a move.')
    expect(faultWords(record({ ...detail, game: 2 }))).toBe('Game 2, line 3: “hello” is not a move.')
  })

  it('that is a broken rule names the turn and the rule', () => {
    const detail = { fault: 'word', token: 'Ed5ne', line: 2, game: 1, reason: 'SPACE_TAKEN' }
    expect(errorWords(record(detail))).toBe('This record cannot be read.')
    expect(faultWords(record(detail))).toBe('Line 2: Ed5ne: A new piece needs three empty spaces.')
    const refused = new ApiError(422, 'illegal_turn', 'in English', { reason: 'SPACE_TAKEN' })
    expect(errorWords(refused)).toBe('A new piece needs three empty spaces.')
  })

  it('never speaks English to somebody who does not', () => {
    expect(faultWords(record({ fault: 'something new', token: 'x', line: 1 }))).toBe('')
    expect(faultWords(record({}))).toBe('')
    expect(faultWords(new TypeError('ours'))).toBe('')
    expect(() => errorWords(new TypeError('ours'))).toThrow()
  })
})
