/** Answers that come when a test says so: late, in another order, as errors, or never. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  answer(value: T): void
  fail(error: unknown): void
}

export function deferred<T>(): Deferred<T> {
  let answer: (value: T) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((resolve, reject) => {
    answer = resolve
    fail = reject
  })
  return { promise, answer, fail }
}

/** Everything that does not wait for something else has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
