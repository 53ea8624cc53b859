/**
 * The places of the page and their addresses. Home and the game are always at hand, the others are loaded when
 * wanted.
 */
import type { Component } from 'svelte'

import { type Chapter, openChapter } from '../i18n/index.svelte'

type Load = () => Promise<{ default: Component }>
type LoadOne = () => Promise<{ default: Component<{ id: string }> }>

/** A page with texts that only such pages have. */
async function withChapter<T>(chapter: Chapter, page: Promise<T>): Promise<T> {
  await openChapter(chapter)
  return page
}

const LATER = {
  '/learn': { name: 'learn', load: () => withChapter('lessons', import('../pages/lessons/CoursePage.svelte')) },
  '/puzzles': { name: 'puzzles', load: () => withChapter('puzzles', import('../pages/puzzles/PuzzlesPage.svelte')) },
  '/how-to-play': { name: 'rules', load: () => withChapter('rules', import('../pages/rules/HowToPlayPage.svelte')) },
  '/position': { name: 'position', load: () => import('../pages/analysis/PositionPage.svelte') },
  '/analysis': { name: 'analysis', load: () => import('../pages/analysis/AnalysisPage.svelte') },
  '/results': { name: 'results', load: () => import('../pages/home/ResultsPage.svelte') },
  '/settings': { name: 'settings', load: () => import('./SettingsPage.svelte') },
  '/about': { name: 'about', load: () => import('./AboutPage.svelte') },
  '/account': { name: 'account', load: () => import('../pages/account/AccountPage.svelte') },
  '/reset': { name: 'reset', load: () => import('../pages/account/ResetPage.svelte') },
  '/admin/adopt': { name: 'adopt', load: () => import('../pages/account/AdoptPage.svelte') },
  '/leaderboard': { name: 'leaders', load: () => import('../pages/players/LeaderboardPage.svelte') },
} as const satisfies Record<string, { name: string; load: Load }>

/** Places of which there are many, each with a name of its own at the end of its address. */
const MANY = {
  join: { path: /^\/join\/([\w-]{1,64})$/, load: () => import('../pages/lobby/JoinPage.svelte') },
  review: {
    path: /^\/((?:game|local)\/[\w-]{1,32})\/review$/,
    load: () => withChapter('coach', import('../pages/review/ReviewPage.svelte')),
  },
  study: { path: /^\/analysis\/([\w-]{1,64})$/, load: () => import('../pages/analysis/AnalysisPage.svelte') },
  lesson: {
    path: /^\/learn\/([\w-]{1,32})$/,
    load: () => withChapter('lessons', import('../pages/lessons/LessonPage.svelte')),
  },
  puzzle: {
    path: /^\/puzzles\/((?:theme\/)?[\w-]{1,32})$/,
    load: () => withChapter('puzzles', import('../pages/puzzles/PuzzlePage.svelte')),
  },
  player: { path: /^\/player\/([\w-]{1,64})$/, load: () => import('../pages/players/PlayerPage.svelte') },
} as const satisfies Record<string, { path: RegExp; load: LoadOne }>
type Many = keyof typeof MANY

const ANYWHERE: readonly string[] = ['study', 'review', 'lesson', 'puzzle']
/** Places there are only where people meet. */
const ONLINE: readonly string[] = [
  'account',
  'leaders',
  'reset',
  'adopt',
  ...Object.keys(MANY).filter((name) => !ANYWHERE.includes(name)),
]

export type ShownRoute =
  | { readonly name: 'home' }
  | { readonly name: 'game'; readonly id: string; readonly local: boolean }
  | { readonly name: Many; readonly id: string; readonly loadOne: LoadOne }
  | { readonly name: (typeof LATER)[keyof typeof LATER]['name'] | 'missing'; readonly load: Load }

const MISSING: ShownRoute = { name: 'missing', load: () => import('./NotFoundPage.svelte') }

/** What a path means; a slash at its end does not matter. */
export function routeOf(path: string, online = false): ShownRoute {
  const found = anyRouteOf(path)
  return !online && ONLINE.includes(found.name) ? MISSING : found
}

function anyRouteOf(path: string): ShownRoute {
  const bare = path.replace(/\/+$/, '') || '/'
  if (bare === '/') return { name: 'home' }
  const [, where, id] = /^\/(game|local)\/([\w-]{1,32})$/.exec(bare) ?? []
  if (id) return { name: 'game', id, local: where === 'local' }
  for (const name of Object.keys(MANY) as Many[]) {
    const one = MANY[name].path.exec(bare)?.[1]
    if (one) return { name, id: one, loadOne: MANY[name].load }
  }
  return Object.hasOwn(LATER, bare) ? LATER[bare as keyof typeof LATER] : MISSING
}
