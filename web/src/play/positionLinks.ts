/** Links to positions, with the position's text in the address. */

/** Whether a text is a position rather than a record: it names its rules and the side to move. */
export function isPosition(text: string): boolean {
  return /^\s*(standard|basic)\s+[wb](\s+[wb][TCEMLR][a-q]\d+(n|ne|se|s|sw|nw))*\s*$/.test(text)
}

/** The path of a position's page. */
export function positionPath(text: string): string {
  return `/position?${new URLSearchParams({ text }).toString()}`
}

/** The path of a position's analysis. */
export function analysisPath(position: string): string {
  return `/analysis?${new URLSearchParams({ position }).toString()}`
}
