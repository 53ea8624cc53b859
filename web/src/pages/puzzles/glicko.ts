/**
 * Glicko-2, as the server counts it (`src/punct/server/people/glicko.py`): how strong somebody is, how certain that is,
 * and how steady. The short names are the symbols of Mark Glickman's paper. Whoever tries a puzzle plays it, as it
 * were: who solves it has won.
 */

export interface Rating {
  readonly rating: number
  readonly deviation: number
  readonly volatility: number
}

/** Who has never tried a puzzle begins with the easiest, and is not as unknown as a player of games may be. */
export const NEWCOMER: Rating = { rating: 700, deviation: 200, volatility: 0.06 }
/** No single try moves a rating by more: one slip at the beginning says little. */
export const MAX_CHANGE = 60
/** No rating falls lower: there are no puzzles for it. */
export const MIN_RATING = 500

const MIDDLE = 1500
const SCALE = 173.7178
const TAU = 0.5
const TOLERANCE = 1e-6
const [LEAST_DEVIATION, MOST_DEVIATION] = [40, 350]
/** Above this deviation a rating is too uncertain to be relied on. */
const PROVISIONAL = 110
/** In milliseconds: over so long a rating becomes less certain by one step. */
const PERIOD = 7 * 86_400_000
/** How uncertain the rating is that a puzzle comes with, and how steady it is. */
const PUZZLE = { deviation: 120, volatility: 0.03 } as const

export function isProvisional({ deviation }: Rating): boolean {
  return deviation > PROVISIONAL
}

/** A rating after some milliseconds without a try: as high, and less certain. */
export function aged(before: Rating, elapsed: number): Rating {
  const periods = Math.max(0, elapsed / PERIOD)
  const deviation = Math.sqrt(before.deviation ** 2 + (before.volatility * SCALE) ** 2 * periods)
  return { ...before, deviation: Math.min(deviation, MOST_DEVIATION) }
}

/** A rating after a puzzle of some rating was tried, and solved or not. */
export function afterTry(before: Rating, puzzle: number, solved: boolean): Rating {
  const mu = (before.rating - MIDDLE) / SCALE
  const phi = before.deviation / SCALE
  const g = 1 / Math.sqrt(1 + 3 * (PUZZLE.deviation / SCALE / Math.PI) ** 2)
  const expected = 1 / (1 + Math.exp(-g * (mu - (puzzle - MIDDLE) / SCALE)))
  const information = g * g * expected * (1 - expected)
  const improvement = g * ((solved ? 1 : 0) - expected)
  if (!information) return before
  const v = 1 / information
  const volatility = volatilityAfter(phi, before.volatility, v, v * improvement)
  const phiAfter = 1 / Math.sqrt(1 / phi ** 2 + information)
  const change = Math.min(MAX_CHANGE, Math.max(-MAX_CHANGE, phiAfter ** 2 * improvement * SCALE))
  return {
    rating: Math.max(MIN_RATING, before.rating + change),
    deviation: Math.min(Math.max(phiAfter * SCALE, LEAST_DEVIATION), MOST_DEVIATION),
    volatility,
  }
}

/** How unsteady somebody is now (step 5 of the paper, by the Illinois method). */
function volatilityAfter(phi: number, sigma: number, v: number, delta: number): number {
  const a = Math.log(sigma * sigma)
  const f = (x: number): number => {
    const e = Math.exp(x)
    const d = phi * phi + v + e
    return (e * (delta * delta - d)) / (2 * d * d) - (x - a) / (TAU * TAU)
  }
  let low = a
  let high = delta * delta > phi * phi + v ? Math.log(delta * delta - phi * phi - v) : a - TAU
  while (high < a && f(high) < 0) high -= TAU
  let [fLow, fHigh] = [f(low), f(high)]
  while (Math.abs(high - low) > TOLERANCE) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow)
    const fMiddle = f(middle)
    if (fMiddle * fHigh <= 0) {
      low = high
      fLow = fHigh
    } else fLow /= 2
    high = middle
    fHigh = fMiddle
  }
  return Math.exp(low / 2)
}
