import { describe, expect, it } from 'vitest'

import { DEFAULTS, readSettings, writeSettings } from '../../src/session/settings.svelte'

const noted = (text: string | null) => ({ getItem: () => text })

describe('settings', () => {
  it('come back as they were written', () => {
    let kept = ''
    const wanted = { ...DEFAULTS, confirm: false, theme: 'dark' as const }
    writeSettings({ setItem: (_, text) => (kept = text) }, wanted)
    expect(readSettings(noted(kept))).toEqual(wanted)
  })

  it('survive notes that are old, broken or from elsewhere', () => {
    for (const text of [null, '', '{', '7', 'null', '[]', '{"confirm":"no","theme":"pink","tilted":1}']) {
      expect(readSettings(noted(text))).toEqual(DEFAULTS)
    }
  })

  it('are kept for this visit when the browser keeps nothing', () => {
    const full = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(() => writeSettings(full, DEFAULTS)).not.toThrow()
  })
})
