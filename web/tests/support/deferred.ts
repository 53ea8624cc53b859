/** A promise that a test resolves or rejects: late, in another order than others, or never. */
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

/** Waits until all pending promises have settled that wait for nothing else. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
