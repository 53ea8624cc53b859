/** Filters of the list of all games: in the page's address, so that it can be linked, and in requests. */

/** The filters, as the server names them. */
export const FILTERS = [
  'opponent',
  'result',
  'against',
  'rules',
  'speed',
  'rated',
  'opening',
  'min_moves',
  'max_moves',
  'since',
  'until',
] as const
export type Filter = (typeof FILTERS)[number]
export type Filters = Readonly<Record<Filter, string>>

/** Filters that are shown at once; the others are behind a button. */
export const MAIN_FILTERS: readonly Filter[] = ['opponent', 'result', 'against']

/** The filters in an address; those that are not there are empty. */
export function readFilters(query: URLSearchParams): Filters {
  return Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as Filters
}

/** The query of an address or a request: without the filters that are empty. */
export function toQuery(filters: Filters): URLSearchParams {
  return new URLSearchParams(FILTERS.flatMap((name) => (filters[name].trim() ? [[name, filters[name].trim()]] : [])))
}

/** The path of the list with these filters. */
export function gamesPath(filters: Filters): string {
  const query = toQuery(filters).toString()
  return query ? `/games?${query}` : '/games'
}
