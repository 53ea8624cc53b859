/**
 * The places of the page and their addresses. Home and the game are always at hand, the others are loaded when
 * wanted.
 */
import type { Component } from 'svelte'

type Load = () => Promise<{ default: Component }>

const LATER = {
  '/how-to-play': { name: 'rules', load: () => import('../learn/HowToPlayPage.svelte') },
  '/position': { name: 'position', load: () => import('../analysis/PositionPage.svelte') },
  '/results': { name: 'results', load: () => import('../home/ResultsPage.svelte') },
  '/settings': { name: 'settings', load: () => import('./SettingsPage.svelte') },
  '/about': { name: 'about', load: () => import('./AboutPage.svelte') },
} as const satisfies Record<string, { name: string; load: Load }>

export type Here =
  | { readonly name: 'home' }
  | { readonly name: 'game'; readonly id: string }
  | { readonly name: (typeof LATER)[keyof typeof LATER]['name'] | 'missing'; readonly load: Load }

const MISSING: Here = { name: 'missing', load: () => import('./NotFoundPage.svelte') }

/** What a path means; a slash at its end does not matter. */
export function placeOf(path: string): Here {
  const bare = path.replace(/\/+$/, '') || '/'
  if (bare === '/') return { name: 'home' }
  const id = /^\/game\/([\w-]{1,32})$/.exec(bare)?.[1]
  if (id) return { name: 'game', id }
  return Object.hasOwn(LATER, bare) ? LATER[bare as keyof typeof LATER] : MISSING
}
