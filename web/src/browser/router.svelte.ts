/** Where we are: paths of our own, so that every place has a link, and the browser's back button works. */
import { Latest, STALE } from '../requests/latest'

export interface Route {
  readonly path: string
  readonly query: URLSearchParams
}

/** The folder that the page lies in on its host. */
const BASE = import.meta.env.BASE_URL

/** A path within the page as an address on its host. */
export function to(path: string): string {
  return BASE + path.slice(1)
}

/** The path within the page that an address on its host stands for. */
function within(address: string): string {
  return address.startsWith(BASE) ? address.slice(BASE.length - 1) : address
}

function read(): Route {
  return { path: within(location.pathname), query: new URLSearchParams(location.search) }
}

const here = $state<{ route: Route }>({ route: read() })

addEventListener('popstate', () => (here.route = read()))

export function route(): Route {
  return here.route
}

/** Go to a path within the page. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', to(path))
  else history.pushState(null, '', to(path))
  here.route = read()
  scrollTo(0, 0)
}

/**
 * Go to a path once it is known; not if one has gone elsewhere meanwhile. Returns whether that is where one is now. A
 * path that is null leads nowhere.
 */
export async function goWhenReady(path: Promise<string | null>, options: { replace?: boolean } = {}): Promise<boolean> {
  const found = await new Latest(() => [here.route]).ask(() => path)
  if (found === STALE || found === null) return false
  go(found, options)
  return true
}

/** For links: stays in the page on a plain click; a new tab remains a new tab. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement | null)?.closest('a')
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  go(within(link.pathname) + link.search)
}
