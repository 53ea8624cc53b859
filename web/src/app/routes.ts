/** The pages and their addresses. Home and the game are in the first bundle, the others are loaded on demand. */
import type { Component } from 'svelte'

import { type Chapter, openChapter } from '../i18n/index.svelte'

type Load = () => Promise<{ default: Component }>
type LoadOne = () => Promise<{ default: Component<{ id: string }> }>

/** Load a page together with a chapter of texts that only such pages need. */
export async function withChapter<T>(chapter: Chapter, page: Promise<T>): Promise<T> {
  await openChapter(chapter)
  return page
}

const LAZY_PAGES = {
  '/learn': { name: 'learn', load: () => withChapter('lessons', import('../pages/lessons/CoursePage.svelte')) },
  '/puzzles': { name: 'puzzles', load: () => withChapter('puzzles', import('../pages/puzzles/PuzzlesPage.svelte')) },
  '/how-to-play': { name: 'rules', load: () => withChapter('rules', import('../pages/rules/HowToPlayPage.svelte')) },
  '/position': {
    name: 'position',
    load: () => withChapter('analysis', import('../pages/analysis/PositionPage.svelte')),
  },
  '/analysis': {
    name: 'analysis',
    load: () => withChapter('analysis', import('../pages/analysis/AnalysisPage.svelte')),
  },
  '/games': { name: 'games', load: () => withChapter('games', import('../pages/home/GamesPage.svelte')) },
  '/public-games': {
    name: 'public-games',
    load: () => withChapter('games', import('../pages/home/PublicGamesPage.svelte')),
  },
  '/results': { name: 'results', load: () => import('../pages/home/ResultsPage.svelte') },
  '/settings': { name: 'settings', load: () => withChapter('away', import('./SettingsPage.svelte')) },
  '/about': { name: 'about', load: () => withChapter('about', import('./AboutPage.svelte')) },
  '/account': {
    name: 'account',
    load: () => withChapter('people', withChapter('account', import('../pages/account/AccountPage.svelte'))),
  },
  '/reset': { name: 'reset', load: () => withChapter('account', import('../pages/account/ResetPage.svelte')) },
  '/verify-mail': {
    name: 'verify-mail',
    load: () => withChapter('account', import('../pages/account/VerifyMailPage.svelte')),
  },
  '/admin/adopt': { name: 'adopt', load: () => withChapter('account', import('../pages/account/AdoptPage.svelte')) },
  '/leaderboard': {
    name: 'leaders',
    load: () => withChapter('people', import('../pages/players/LeaderboardPage.svelte')),
  },
} as const satisfies Record<string, { name: string; load: Load }>

/** Pages with an id at the end of their address. */
const PAGES_WITH_ID = {
  join: {
    path: /^\/join\/([\w-]{1,64})$/,
    load: () => withChapter('people', import('../pages/lobby/JoinPage.svelte')),
  },
  review: {
    path: /^\/((?:game|local)\/[\w-]{1,32})\/review$/,
    load: () => withChapter('coach', import('../pages/review/ReviewPage.svelte')),
  },
  study: {
    path: /^\/analysis\/([\w-]{1,64})$/,
    load: () => withChapter('analysis', import('../pages/analysis/AnalysisPage.svelte')),
  },
  lesson: {
    path: /^\/learn\/([\w-]{1,32})$/,
    load: () => withChapter('lessons', import('../pages/lessons/LessonPage.svelte')),
  },
  puzzle: {
    path: /^\/puzzles\/((?:theme\/)?[\w-]{1,32})$/,
    load: () => withChapter('puzzles', import('../pages/puzzles/PuzzlePage.svelte')),
  },
  unsubscribe: {
    path: /^\/unsubscribe\/([\w-]{1,200})$/,
    load: () => withChapter('account', import('../pages/account/UnsubscribePage.svelte')),
  },
  player: {
    path: /^\/player\/(@?[\w-]{1,64})$/,
    load: () => withChapter('people', import('../pages/players/PlayerPage.svelte')),
  },
  meet: {
    path: /^\/meet\/(@?[\w-]{1,64})$/,
    load: () => withChapter('people', import('../pages/lobby/MeetPage.svelte')),
  },
  date: {
    path: /^\/date\/([\w-]{1,64})$/,
    load: () => withChapter('people', import('../pages/lobby/DatePage.svelte')),
  },
  invite: {
    path: /^\/invite\/(@?[\w-]{1,64})$/,
    load: () => withChapter('people', import('../pages/lobby/InvitePage.svelte')),
  },
} as const satisfies Record<string, { path: RegExp; load: LoadOne }>
type PageWithId = keyof typeof PAGES_WITH_ID

const ALSO_AT_HOME: readonly string[] = ['study', 'review', 'lesson', 'puzzle']
/** Pages that exist only where people play each other. */
const ONLINE: readonly string[] = [
  'account',
  'leaders',
  'reset',
  'verify-mail',
  'adopt',
  ...Object.keys(PAGES_WITH_ID).filter((name) => !ALSO_AT_HOME.includes(name)),
]

export interface PageRouteWithId {
  readonly name: PageWithId
  readonly id: string
  readonly loadOne: LoadOne
}
export type PageRoute =
  | { readonly name: 'home' }
  | { readonly name: 'game'; readonly id: string; readonly local: boolean }
  | PageRouteWithId
  | { readonly name: (typeof LAZY_PAGES)[keyof typeof LAZY_PAGES]['name'] | 'missing'; readonly load: Load }

const NOT_FOUND: PageRoute = { name: 'missing', load: () => import('./NotFoundPage.svelte') }

/** The page for a path; a slash at its end does not matter. */
export function pageFor(path: string, online = false): PageRoute {
  const page = findPage(path)
  return !online && ONLINE.includes(page.name) ? NOT_FOUND : page
}

function findPage(path: string): PageRoute {
  const trimmed = path.replace(/\/+$/, '') || '/'
  if (trimmed === '/') return { name: 'home' }
  const [, place, id] = /^\/(game|local)\/([\w-]{1,32})$/.exec(trimmed) ?? []
  if (id) return { name: 'game', id, local: place === 'local' }
  for (const name of Object.keys(PAGES_WITH_ID) as PageWithId[]) {
    const pageId = PAGES_WITH_ID[name].path.exec(trimmed)?.[1]
    if (pageId) return { name, id: pageId, loadOne: PAGES_WITH_ID[name].load }
  }
  return Object.hasOwn(LAZY_PAGES, trimmed) ? LAZY_PAGES[trimmed as keyof typeof LAZY_PAGES] : NOT_FOUND
}
