/** Dates where a reader is and where the other player is: daylight saving is the browser's business. */
import { describe, expect, it, vi } from 'vitest'

import { ApiError } from '../../../src/api/client'
import type { Appointment } from '../../../src/api/model'
import { dateInZone, until } from '../../../src/i18n/dates'
import { fieldLimits, fieldOf, isOpen, otherOf, timeOf, withZone } from '../../../src/pages/lobby/dates'

const ADA = { id: 'ada', name: 'Ada', kind: 'person', handle: null, rating: null } as const
const KIM = { ...ADA, id: 'kim', name: 'Kim' }
const AGREED: Appointment = {
  id: 'c0ffee-Punct-c0ffee-42',
  link: '/date/c0ffee-Punct-c0ffee-42',
  state: 'agreed',
  proposer: ADA,
  to: KIM,
  rules: 'standard',
  colour: null,
  time: '10+5',
  rated: false,
  dates: ['2027-03-28T18:30:00Z'],
  words: null,
  zones: { proposer: 'Europe/Warsaw', to: 'America/New_York' },
  created: '2027-03-20T18:30:00Z',
  expires: '2027-03-28T18:45:00Z',
  date: '2027-03-28T18:30:00Z',
  opens: '2027-03-28T18:20:00Z',
  here: { proposer: true, to: false },
  ended_by: null,
  reply: null,
  replaces: null,
  replaced_by: null,
  game: null,
}

describe('a date in a time zone', () => {
  it('is an hour later by the clock from the day on which summer time begins', () => {
    expect(dateInZone('en-GB', '2027-03-27T18:30:00Z', 'Europe/Warsaw')).toMatch(/^Sat.*27 Mar.*19:30/)
    expect(dateInZone('en-GB', '2027-03-28T18:30:00Z', 'Europe/Warsaw')).toMatch(/^Sun.*28 Mar.*20:30/)
  })

  it('may be another day there', () => {
    expect(dateInZone('en-GB', '2027-03-28T18:30:00Z', 'Asia/Tokyo')).toMatch(/^Mon.*29 Mar.*03:30/)
  })

  it('is shown in a zone that the browser does not know as it is here', () => {
    expect(dateInZone('en-GB', '2027-03-28T18:30:00Z', 'Europe/Nowhere')).toContain('2')
  })

  it('is entered and read back in whole minutes', () => {
    const time = Date.parse('2027-03-28T18:30:00Z')
    expect(timeOf(fieldOf(time))).toBe('2027-03-28T18:30:00.000Z')
    expect(timeOf('')).toBeNull()
    const { min, max } = fieldLimits(time)
    expect(Date.parse(timeOf(min) ?? '') - time).toBeGreaterThanOrEqual(10 * 60_000)
    expect(Date.parse(timeOf(max) ?? '') - time).toBeLessThanOrEqual(60 * 24 * 3_600_000)
  })
})

it('says how long it is until then', () => {
  const now = Date.parse('2027-03-25T18:30:00Z')
  expect(until('en', '2027-03-28T18:30:00Z', now)).toBe('in 3 days')
  expect(until('de', '2027-03-25T18:42:00Z', now)).toBe('in 12 Minuten')
})

it('is open from ten minutes before until it lapses', () => {
  const at = (time: string): boolean => isOpen(AGREED, Date.parse(time))
  expect(at('2027-03-28T18:19:59Z')).toBe(false)
  expect(at('2027-03-28T18:20:00Z')).toBe(true)
  expect(at('2027-03-28T18:45:00Z')).toBe(false)
  expect(isOpen({ ...AGREED, state: 'cancelled' }, Date.parse('2027-03-28T18:30:00Z'))).toBe(false)
})

it('tells the two players apart', () => {
  expect(otherOf(AGREED, 'ada')).toEqual({
    isOwn: true,
    player: KIM,
    zone: 'America/New_York',
    isHere: false,
    amHere: true,
  })
  expect(otherOf(AGREED, 'kim')).toMatchObject({ isOwn: false, player: ADA, isHere: true, amHere: false })
})

it('is sent without a time zone that the server does not know', async () => {
  const refused = new ApiError(422, 'unknown_zone', '')
  const send = vi.fn((zone: string | null) => (zone === null ? Promise.resolve('sent') : Promise.reject(refused)))
  await expect(withZone(send)).resolves.toBe('sent')
  expect(send).toHaveBeenCalledTimes(2)
  const other = vi.fn(() => Promise.reject(new ApiError(0, 'offline', '')))
  await expect(withZone(other)).rejects.toThrow()
  expect(other).toHaveBeenCalledTimes(1)
})
