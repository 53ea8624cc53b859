/**
 * Glicko-2, as the server calculates it (`src/punct/glicko.py`): a rating, its deviation, and its volatility. The short
 * names are the symbols of Mark Glickman's paper. A try counts as a game against the puzzle: solving it wins.
 */

export interface Rating {
  readonly rating: number
  readonly deviation: number
  readonly volatility: number
}

/** Newcomers begin with the easiest puzzles, and with a smaller deviation than in games. */
export const NEWCOMER: Rating = { rating: 700, deviation: 200, volatility: 0.06 }
/** No single try changes a rating by more: one slip at the beginning says little. */
const MAX_CHANGE = 60
/** No rating falls lower: there are no puzzles for it. */
const MIN_RATING = 500

const MIDDLE = 1500
const SCALE = 173.7178
const TAU = 0.5
const TOLERANCE = 1e-6
const [MIN_DEVIATION, MAX_DEVIATION] = [40, 350]
/** Above this deviation a rating is provisional. */
const PROVISIONAL_DEVIATION = 110
/** The rating period in milliseconds, after which the deviation grows. */
const PERIOD_MS = 7 * 86_400_000
/** The deviation and volatility of a puzzle's own rating. */
const PUZZLE = { deviation: 120, volatility: 0.03 } as const

export function isProvisional({ deviation }: Rating): boolean {
  return deviation > PROVISIONAL_DEVIATION
}

/** A rating after some milliseconds without a try: as high, with a larger deviation. */
export function afterPause(previous: Rating, elapsed: number): Rating {
  const periods = Math.max(0, elapsed / PERIOD_MS)
  const deviation = Math.sqrt(previous.deviation ** 2 + (previous.volatility * SCALE) ** 2 * periods)
  return { ...previous, deviation: Math.min(deviation, MAX_DEVIATION) }
}

/** A rating after a puzzle of some rating was tried, and solved or not. */
export function afterTry(previous: Rating, puzzle: number, solved: boolean): Rating {
  const mu = (previous.rating - MIDDLE) / SCALE
  const phi = previous.deviation / SCALE
  const g = 1 / Math.sqrt(1 + 3 * (PUZZLE.deviation / SCALE / Math.PI) ** 2)
  const expected = 1 / (1 + Math.exp(-g * (mu - (puzzle - MIDDLE) / SCALE)))
  const information = g * g * expected * (1 - expected)
  const improvement = g * ((solved ? 1 : 0) - expected)
  if (!information) return previous
  const v = 1 / information
  const volatility = volatilityAfter(phi, previous.volatility, v, v * improvement)
  const phiAfter = 1 / Math.sqrt(1 / phi ** 2 + information)
  const change = Math.min(MAX_CHANGE, Math.max(-MAX_CHANGE, phiAfter ** 2 * improvement * SCALE))
  return {
    rating: Math.max(MIN_RATING, previous.rating + change),
    deviation: Math.min(Math.max(phiAfter * SCALE, MIN_DEVIATION), MAX_DEVIATION),
    volatility,
  }
}

/** The new volatility (step 5 of the paper, by the Illinois method). */
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
