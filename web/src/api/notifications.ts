/** Requests about notifications: how a player is told, and by which browsers. */
import { request } from './client'
import type { Device, NotificationChanges, NotificationSettings } from './model'

const id = encodeURIComponent

export const notifications = {
  settings: () => request<NotificationSettings>('GET', '/me/notifications'),
  /** What is left out stays as it is. */
  change: (changes: Partial<NotificationChanges>) =>
    request<NotificationSettings>('PATCH', '/me/notifications', { body: changes }),
  /** The key that a browser needs to subscribe. */
  key: () => request<{ key: string }>('GET', '/push/key').then((answer) => answer.key),
  devices: () => request<{ devices: Device[] }>('GET', '/push/devices').then((answer) => answer.devices),
  subscribe: (endpoint: string, keys: { p256dh: string; auth: string }) =>
    request<Device>('PUT', '/push/devices', { body: { endpoint, keys } }),
  unsubscribe: (device: string) => request<undefined>('DELETE', `/push/devices/${id(device)}`),
  test: (device: string) => request<undefined>('POST', `/push/devices/${id(device)}/test`),
}
