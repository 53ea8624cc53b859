import { act, cleanup, render } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { api } from '../../src/api/client'
import type { Me } from '../../src/api/model'
import { language, setLanguage } from '../../src/i18n/index.svelte'
import { chooseLanguage } from '../../src/i18n/languageChoice'
import { setMe } from '../../src/session/me.svelte'
import { DEFAULTS, settings } from '../../src/session/settings.svelte'
import SettingsSync from './SettingsSync.svelte'

/** Somebody with an account, as the server tells it. */
const holder = (noted: Me['settings']): Me => ({
  mode: 'online',
  player: { id: 'ada', name: 'Ada', kind: 'person', handle: null, created: '', login: true, password: true },
  ratings: [],
  settings: noted,
})

const kept = (): unknown => vi.mocked(api.saveSettings).mock.lastCall?.[0]

/** Somebody comes to this device, and stays for a while. */
async function come(noted: Me['settings']): Promise<void> {
  setMe(holder(noted))
  render(SettingsSync)
  await wait()
}

async function wait(): Promise<void> {
  await act()
  await vi.advanceTimersByTimeAsync(2000)
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.spyOn(api, 'saveSettings').mockResolvedValue(holder(null))
  localStorage.clear()
  Object.assign(settings, DEFAULTS)
  await setLanguage('en')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('settings on every device', () => {
  it('speak the language that was chosen on another', async () => {
    await come({ ...DEFAULTS, theme: 'dark', language: 'pl' })
    await vi.waitFor(() => expect(language()).toBe('pl'))
    await wait()
    expect(settings.theme).toBe('dark')
    expect(localStorage.getItem('punct.language')).toBe('pl')
    expect(api.saveSettings).not.toHaveBeenCalled()
  })

  it('tell the account which language was chosen here', async () => {
    await come({ ...DEFAULTS, language: 'pl' })
    await vi.waitFor(() => expect(language()).toBe('pl'))
    await chooseLanguage('nl')
    await wait()
    expect(kept()).toEqual({ ...DEFAULTS, language: 'nl' })
  })

  it('leave the language to each browser while nobody has chosen one', async () => {
    await come({ ...DEFAULTS })
    expect(api.saveSettings).not.toHaveBeenCalled()
    settings.sounds = false
    await wait()
    expect(kept()).toEqual({ ...DEFAULTS, sounds: false })
  })

  it('take an unknown language for none', async () => {
    localStorage.setItem('punct.language', 'en')
    await come({ ...DEFAULTS, language: 'xx' })
    expect(language()).toBe('en')
    expect(kept()).toEqual({ ...DEFAULTS, language: 'en' })
  })
})
