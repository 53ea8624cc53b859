/** Draws a rating over time as a line within a box. */
import type { CurvePoint } from '../../api/model'

export interface Box {
  readonly width: number
  readonly height: number
}

export interface CurveDrawing {
  readonly line: string
  /** The rating's uncertainty: a band of one deviation either way. */
  readonly band: string
  readonly ticks: readonly { readonly rating: number; readonly y: number }[]
  readonly dots: readonly { readonly x: number; readonly y: number }[]
}

/** Possible distances between two ticks. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000]

/** Draw a curve with one step per game, not per day: many games in one week stay distinguishable. */
export function drawCurve(points: readonly CurvePoint[], { width, height }: Box): CurveDrawing {
  const lows = points.map(({ rating, deviation }) => rating - deviation)
  const highs = points.map(({ rating, deviation }) => rating + deviation)
  const [low, high] = [Math.min(...lows), Math.max(...highs)]
  const step = STEPS.find((size) => (high - low) / size <= 5) ?? 1000
  const bottom = Math.floor(low / step) * step
  const top = Math.max(bottom + step, Math.ceil(high / step) * step)
  const x = (index: number): number => round(points.length < 2 ? width / 2 : (index / (points.length - 1)) * width)
  const y = (rating: number): number => round(height - ((rating - bottom) / (top - bottom)) * height)
  const path = (ratings: readonly number[]): string =>
    ratings.map((rating, index) => `${x(index)} ${y(rating)}`).join('L')
  const back = lows.map((rating, index) => `${x(index)} ${y(rating)}`).reverse()
  const ticks = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, n) => bottom + n * step)
  return {
    line: points.length ? `M${path(points.map(({ rating }) => rating))}` : '',
    band: points.length ? `M${path(highs)}L${back.join('L')}Z` : '',
    ticks: ticks.map((rating) => ({ rating, y: y(rating) })),
    dots: points.map(({ rating }, index) => ({ x: x(index), y: y(rating) })),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
