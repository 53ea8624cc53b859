/**
 * Web Push: shows what the server sends while nobody looks at the page, opens what a notification is about, and
 * subscribes again when the browser has renewed its subscription.
 */
import type { ExtendableEvent, Page, Worker } from './types'

const API = '/api/v1'
/** What is said where a message cannot be read: browsers want something to be shown. */
const UNREADABLE: Readonly<Record<string, string>> = {
  en: 'There is news of your games.',
  de: 'Es gibt Neues von deinen Partien.',
  fr: 'Il y a du nouveau dans vos parties.',
  nl: 'Er is nieuws over je partijen.',
  it: 'Ci sono novità nelle tue partite.',
  es: 'Hay novedades en tus partidas.',
  pl: 'Są wieści o twoich partiach.',
}
/** Kinds that make themselves heard again though a notification about the same game is still there. */
const URGENT: readonly unknown[] = ['turn', 'time', 'seat', 'challenge', 'appointment', 'reminder', 'test']

interface Content {
  readonly title: string
  readonly body: string
  readonly path: string
  readonly tag: string
  readonly renotify: boolean
  readonly timestamp: number
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}
interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
}
interface SubscriptionChangeEvent extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

/** What a message says; something general if it is not one of our server's. */
function contentOf(event: PushEvent): Content {
  let message: Readonly<Record<string, unknown>> = {}
  try {
    const data: unknown = event.data?.json()
    if (typeof data === 'object' && data !== null) message = data as Record<string, unknown>
  } catch {
    // It is no JSON.
  }
  const { title, body, path, subject, kind, at } = message
  const isReadable = typeof title === 'string' && title !== '' && typeof body === 'string'
  const language = navigator.language.split('-')[0] ?? 'en'
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return {
    title: isReadable ? title : 'PÜNCT',
    body: isReadable ? body : (UNREADABLE[language] ?? UNREADABLE['en'] ?? ''),
    // A path of this page, and never another site.
    path: typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/',
    tag: typeof subject === 'string' ? subject : 'punct',
    renotify: URGENT.includes(kind),
    timestamp: Number.isNaN(time) ? Date.now() : time,
  }
}

/** What this origin has besides the page: nothing there listens. */
const NO_PAGE = /^\/(api|docs|embed|oembed|calendar)(\/|$)/
/** A page that does not answer within so many milliseconds is taken for one that is elsewhere. */
const ANSWER_MS = 1000

async function pagesOf(worker: Worker): Promise<readonly Page[]> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => !NO_PAGE.test(new URL(url).pathname))
}

/** Where a page is, in its own words: its `url` stays the one from which it was loaded. */
function placeOf(page: Page): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
    setTimeout(() => resolve(null), ANSWER_MS)
    page.postMessage('where', [port2])
  })
}

/** Show a message, unless the player looks at what it is about. */
async function show(worker: Worker, content: Content): Promise<void> {
  const { title, body, path, tag, renotify, timestamp } = content
  const looking = (await pagesOf(worker)).filter((page) => page.focused && page.visibilityState === 'visible')
  if ((await Promise.all(looking.map(placeOf))).includes(path)) return
  // Not all browsers know all of these.
  const options: NotificationOptions & { renotify: boolean; timestamp: number } = {
    ...{ body, tag, renotify, timestamp, icon: '/icon-180.png', badge: '/badge.png', data: { path } },
  }
  await worker.registration.showNotification(title, options)
}

/** Open a path in a window that is there, best in one that was loaded there; else in a new one. */
async function open(worker: Worker, path: string): Promise<void> {
  const pages = await pagesOf(worker)
  const page = pages.find(({ url }) => new URL(url).pathname === path) ?? pages.find((each) => each.focused) ?? pages[0]
  if (!page) {
    await worker.clients.openWindow(path)
    return
  }
  page.postMessage({ open: path })
  await page.focus().catch(() => undefined) // some browsers leave that to the player
}

/** Tell the server of a subscription that has taken the place of another. */
async function renew(worker: Worker, event: SubscriptionChangeEvent): Promise<void> {
  let subscription = event.newSubscription ?? (await worker.registration.pushManager.getSubscription())
  if (!subscription) {
    const { key } = (await (await fetch(`${API}/push/key`)).json()) as { key: string }
    subscription = await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  }
  const { endpoint, keys } = subscription.toJSON()
  await fetch(`${API}/push/devices`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } }),
  })
}

export function installPush(worker: Worker): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, contentOf(event as PushEvent))))
  worker.addEventListener('notificationclick', (event) => {
    const { notification } = event as NotificationEvent
    notification.close()
    const data: unknown = notification.data
    const path = (data as { path?: unknown } | null)?.path
    event.waitUntil(open(worker, typeof path === 'string' ? path : '/'))
  })
  worker.addEventListener('pushsubscriptionchange', (event) =>
    event.waitUntil(renew(worker, event as SubscriptionChangeEvent)),
  )
}
