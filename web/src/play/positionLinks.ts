/** Links to positions: the position's own text in the address. */

/** Whether a text is one position rather than a record: it names its rules and who is to move. */
export function isPosition(text: string): boolean {
  return /^\s*(standard|basic)\s+[wb](\s+[wb][TCEMLR][a-q]\d+(n|ne|se|s|sw|nw))*\s*$/.test(text)
}

/** The address of a position within the page. */
export function positionPath(text: string): string {
  return `/position?${new URLSearchParams({ text }).toString()}`
}

/** The address where a position is analysed. */
export function analysisPath(position: string): string {
  return `/analysis?${new URLSearchParams({ position }).toString()}`
}
