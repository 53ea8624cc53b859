/** Requests of webhooks and of the calendar feed. */
import { request } from './client'
import type { Hook, HookForm, HookTest, NewHook } from './model'

const id = encodeURIComponent

export const hooks = {
  list: () => request<{ hooks: Hook[]; max: number }>('GET', '/hooks'),
  add: (url: string, form: HookForm) => request<NewHook>('POST', '/hooks', { body: { url, form } }),
  /** Call it now; what came of it. */
  test: (hook: string) => request<HookTest>('POST', `/hooks/${id(hook)}/test`, { body: {} }),
  remove: (hook: string) => request<undefined>('DELETE', `/hooks/${id(hook)}`),
}

export const calendar = {
  exists: () => request<{ exists: boolean }>('GET', '/calendar').then((answer) => answer.exists),
  /** Make the feed, or give it another address; its path is not shown again. */
  renew: () => request<{ path: string }>('PUT', '/calendar', { body: {} }).then((answer) => answer.path),
  withdraw: () => request<undefined>('DELETE', '/calendar'),
}
