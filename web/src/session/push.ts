/** Web Push in this browser: switching it on and off, and keeping the server informed. Loaded where it is needed. */
import { notifications } from '../api/notifications'
import { ApiError } from '../api/client'
import { serviceWorkers } from '../browser/storage'
import { ownZone } from '../i18n/dates'
import { language } from '../i18n/index.svelte'
import { pushOwner, setPushOwner } from './pushOwner'

/**
 * Whether this browser can show messages while the page is closed: `install`: only once the page is on the home screen,
 * as on iPhones; `insecure`: only by https; `unable`: never.
 */
export type PushAbility = 'able' | 'denied' | 'install' | 'insecure' | 'unable'

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches
const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export function pushAbility(): PushAbility {
  if (!isSecureContext) return 'insecure'
  if (!serviceWorkers() || !('PushManager' in window) || !('Notification' in window))
    return isAppleMobile() && !isInstalled() ? 'install' : 'unable'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

/** How long a browser may take to install its service worker. */
const WORKER_TIMEOUT_MS = 8000

/** The service worker that takes messages; null if there is none, as in development. */
async function registration(): Promise<ServiceWorkerRegistration | null> {
  const workers = serviceWorkers()
  if (!workers) return null
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), WORKER_TIMEOUT_MS))
  return Promise.race([workers.ready, timeout])
}

async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager.getSubscription()) ?? null
}

/** The id by which the server lists a subscription: the hash of its address. */
async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The id of this browser in the player's list; null if it is not subscribed. */
export async function ownDevice(): Promise<string | null> {
  const subscription = await currentSubscription()
  return subscription ? idOf(subscription) : null
}

async function report(subscription: PushSubscription, player: string): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await notifications.subscribe(endpoint ?? '', { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' })
  setPushOwner(player)
}

/** Ask for permission and subscribe; returns why it is not possible, or 'able'. Throws what the server refuses. */
export async function switchPushOn(player: string): Promise<PushAbility> {
  if (pushAbility() === 'able' && Notification.permission === 'default') await Notification.requestPermission()
  const ability = pushAbility()
  if (ability !== 'able' || Notification.permission !== 'granted') return ability === 'able' ? 'denied' : ability
  const manager = (await registration())?.pushManager
  if (!manager) return 'unable'
  const applicationServerKey = await notifications.key()
  let subscription: PushSubscription
  try {
    subscription = await subscribe(manager, applicationServerKey)
  } catch {
    return 'unable' // the browser's push service cannot be reached, or is switched off
  }
  await report(subscription, player)
  const { zone } = await notifications.settings()
  await notifications.change({ language: language(), ...(zone === 'UTC' ? { zone: ownZone() } : {}) })
  return 'able'
}

/** Subscribe; a subscription with the key of another server, or of this one before its data was lost, is replaced. */
async function subscribe(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const stale = await manager.getSubscription()
    if (!stale) throw error
    await stale.unsubscribe()
    return manager.subscribe(options)
  }
}

/** Unsubscribe. The server is told first; if it cannot be reached, the browser's push service will tell it. */
export async function switchPushOff(): Promise<void> {
  const subscription = await currentSubscription()
  setPushOwner(null)
  if (!subscription) return
  await notifications.unsubscribe(await idOf(subscription)).catch(() => undefined)
  await subscription.unsubscribe()
}

/** Whether the player has removed this browser on another device. */
async function isRemoved(subscription: PushSubscription): Promise<boolean> {
  const own = await idOf(subscription)
  return !(await notifications.devices()).some(({ id }) => id === own)
}

/** Whose browser it is may have changed, or the subscription been lost: make it right with server and browser. */
export async function keepPush(player: string | null): Promise<void> {
  if (player === null || Notification.permission !== 'granted') return switchPushOff()
  const subscription = await currentSubscription()
  try {
    if (!subscription) await switchPushOn(player)
    else if (pushOwner() === player && (await isRemoved(subscription))) await switchPushOff()
    else await report(subscription, player)
    if (pushOwner() === player) await notifications.change({ language: language() })
  } catch (error) {
    // Keys that the server knows differently never become right.
    if (error instanceof ApiError && error.code === 'not_your_subscription') await switchPushOff()
  }
}
