import { expect, it } from 'vitest'

import { ago } from '../../src/i18n/dates'

it('says how long ago something was', () => {
  const now = Date.parse('2026-01-10T12:00:00Z')
  expect(ago('en', '2026-01-10T11:59:50Z', now)).toBe('now')
  expect(ago('en', '2026-01-10T11:58:00Z', now)).toBe('2 minutes ago')
  expect(ago('de', '2026-01-09T11:00:00Z', now)).toBe('gestern')
  expect(ago('pl', '2026-01-10T07:00:00Z', now)).toBe('5 godzin temu')
  // A clock that runs behind the server's does not see the future.
  expect(ago('en', '2026-01-10T12:00:30Z', now)).toBe('now')
})
