import { describe, expect, it } from 'vitest'

import { stripOf, usualRanges } from '../../../src/pages/players/usualHours'

const week = (...hours: number[]): number[] => Array.from({ length: 168 }, (_, hour) => (hours.includes(hour) ? 4 : 0))
const at = (day: number, hour: number): number => day * 24 + hour
const everyDay = (hour: number): number[] => [0, 1, 2, 3, 4, 5, 6].map((day) => at(day, hour))

describe('the strip of hours', () => {
  it('is in the reader’s time zone', () => {
    const { weekdays, weekend } = stripOf(week(...everyDay(18)), 120)
    expect(weekdays.indexOf(4)).toBe(20)
    expect(weekend.indexOf(4)).toBe(20)
    expect(weekdays.filter(Boolean)).toHaveLength(1)
    expect(stripOf(week(...everyDay(18)), -480).weekdays.indexOf(4)).toBe(10)
    expect(stripOf(week(...everyDay(18)), 330).weekdays.indexOf(4)).toBe(0) // half hours are rounded
  })

  it('moves hours to the neighbouring day, round the week too', () => {
    expect(stripOf(week(at(4, 23)), 60).weekend[0]).toBe(4) // Friday night is Saturday there
    expect(stripOf(week(at(6, 23)), 120).weekdays[1]).toBe(4) // and Sunday night Monday
    expect(stripOf(week(at(0, 0)), -60).weekend[23]).toBe(4)
  })

  it('compares a day of the week with a day of the weekend', () => {
    const { weekdays, weekend } = stripOf(week(at(0, 10), at(5, 12)), 0)
    expect(weekend[12]).toBe(4)
    expect(weekdays[10]).toBe(2)
    expect(stripOf(week(), 0).weekdays).toEqual(Array(24).fill(0))
  })
})

describe('the ranges in words', () => {
  const levels = (...hours: number[]): number[] =>
    Array.from({ length: 24 }, (_, hour) => (hours.includes(hour) ? 3 : 1))

  it('join neighbouring hours, across midnight too', () => {
    expect(usualRanges(levels(7, 18, 19, 20))).toEqual([
      { from: 7, until: 8 },
      { from: 18, until: 21 },
    ])
    expect(usualRanges(levels(22, 23, 0, 1))).toEqual([{ from: 22, until: 2 }])
    expect(usualRanges(levels(21, 22, 23))).toEqual([{ from: 21, until: 24 }])
  })

  it('leave out what is seldom', () => {
    expect(usualRanges(levels())).toEqual([])
    expect(usualRanges(Array<number>(24).fill(4))).toEqual([{ from: 0, until: 24 }])
  })
})
