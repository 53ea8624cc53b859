/** Dates as forms have them and as players read them; and what the page knows of the server's rules for them. */
import { ApiError } from '../../api/client'
import type { Appointment } from '../../api/model'
import { dateInZone, ownZone } from '../../i18n/dates'
import { language } from '../../i18n/index.svelte'

export const MAX_DATES = 3
const MINUTE = 60_000
/** How far ahead a date is, at least and at most; a little within the server's limits. */
const [MIN_LEAD, MAX_LEAD] = [11 * MINUTE, 60 * 24 * 60 * MINUTE - MINUTE]
/** The server believes for two minutes that a player is there; browsers slow hidden pages down to one call a minute. */
export const SIGN_OF_LIFE_MS = 30_000

/** A time as fields of date and time have it: where this device is, in whole minutes. */
export function fieldOf(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE)
  return local.toISOString().slice(0, 16)
}

/** The time of such a field; null if it is empty. The browser knows when clocks change. */
export function timeOf(field: string): string | null {
  const time = new Date(field)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The earliest and the latest time that can be proposed, as fields have it. */
export function fieldLimits(now: number): { min: string; max: string } {
  return { min: fieldOf(now + MIN_LEAD), max: fieldOf(now + MAX_LEAD) }
}

/** A date to begin with: at eight in the evening, tomorrow or so many days later. */
export function firstDate(now: number, later = 0): string {
  const day = new Date(now)
  day.setDate(day.getDate() + 1 + later)
  day.setHours(20, 0, 0, 0)
  return fieldOf(day.getTime())
}

/** A date where this device is. */
export function dateHere(when: string): string {
  return dateInZone(language(), when, ownZone())
}

/** A date where the other player is; empty if that is unknown, or shows the same time. */
export function dateThere(when: string, zone: string | null): string {
  const there = zone ? dateInZone(language(), when, zone) : ''
  return there === dateHere(when) ? '' : there
}

/** The other player's part of an appointment: who they are, and what is known of them. */
export function otherOf(appointment: Appointment, ownId: string | undefined) {
  const { proposer, to, zones, here } = appointment
  return proposer.id === ownId
    ? { isOwn: true, player: to, zone: zones.to, isHere: here.to, amHere: here.proposer }
    : { isOwn: false, player: proposer, zone: zones.proposer, isHere: here.proposer, amHere: here.to }
}

/** Send a request with this device's time zone; without it if the server does not know that zone. */
export async function withZone<T>(send: (zone: string | null) => Promise<T>): Promise<T> {
  try {
    return await send(ownZone())
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_zone') return send(null)
    throw error
  }
}

/** Whether players may say now that they are there. */
export function isOpen({ state, opens, expires }: Appointment, now: number): boolean {
  return state === 'agreed' && !!opens && now >= Date.parse(opens) && now < Date.parse(expires)
}
