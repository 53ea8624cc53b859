/** Whoever has an account finds their settings on every device. */
import { untrack } from 'svelte'
import { api } from '../net/client'
import { me } from '../parts/me.svelte'
import { settings, takeSettings } from '../parts/settings.svelte'

/** Switches come in bursts; one note of them is enough. */
const PAUSE = 1000

/** Keep the settings here and those with the account the same; called once by the page. */
export function keepAcross(): void {
  /** What the account is known to have. */
  let kept = ''
  $effect(() => {
    const { player, settings: noted } = me()
    kept = ''
    if (!player?.login || !noted) return
    untrack(() => {
      takeSettings(noted)
      kept = JSON.stringify(settings)
    })
  })
  $effect(() => {
    const now = JSON.stringify(settings)
    if (!me().player?.login || now === kept) return
    const timer = setTimeout(() => {
      kept = now
      // If it gets lost, the next change tells it.
      api.keepSettings({ ...settings }).catch(() => undefined)
    }, PAUSE)
    return () => clearTimeout(timer)
  })
}
