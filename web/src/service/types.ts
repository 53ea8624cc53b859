/** The types of service workers, as far as they are used: the library's types for them exclude those for pages. */
export interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}
export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
export interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}
export interface ExtendableMessageEvent extends ExtendableEvent, MessageEvent {}
/** A window of the page. */
export interface Page {
  readonly url: string
  readonly focused: boolean
  readonly visibilityState: DocumentVisibilityState
  focus(): Promise<unknown>
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
}
type LifeEvent = 'install' | 'activate' | 'push' | 'notificationclick' | 'pushsubscriptionchange'
export interface Worker {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>
    openWindow(path: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: LifeEvent, listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void
  addEventListener(type: 'message', listener: (event: ExtendableMessageEvent) => void): void
}
