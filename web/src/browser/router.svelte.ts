/** The router: every page has a path, so that it has a link, and the browser's back button works. */
import { Latest, STALE } from '../requests/latest'

export interface Route {
  readonly path: string
  readonly query: URLSearchParams
}

/** The folder of the page on its host. */
const BASE = import.meta.env.BASE_URL

/** The address on the host for a path within the page. */
export function to(path: string): string {
  return BASE + path.slice(1)
}

/** The path within the page for an address on the host. */
function pathOf(address: string): string {
  return address.startsWith(BASE) ? address.slice(BASE.length - 1) : address
}

function currentRoute(): Route {
  return { path: pathOf(location.pathname), query: new URLSearchParams(location.search) }
}

const state = $state<{ route: Route }>({ route: currentRoute() })

addEventListener('popstate', () => (state.route = currentRoute()))

export function route(): Route {
  return state.route
}

/** Go to a path within the page. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', to(path))
  else history.pushState(null, '', to(path))
  state.route = currentRoute()
  scrollTo(0, 0)
}

/**
 * Go to a path once it is known, unless the user has gone elsewhere meanwhile. Returns whether it went there. Null
 * stands for no path.
 */
export async function goWhenReady(path: Promise<string | null>, options: { replace?: boolean } = {}): Promise<boolean> {
  const target = await new Latest(() => [state.route]).run(() => path)
  if (target === STALE || target === null) return false
  go(target, options)
  return true
}

/** Click handler of links: stays in the page on a plain click; a new tab remains a new tab. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  go(pathOf(link.pathname) + link.search)
}
