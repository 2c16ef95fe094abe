/** What is there already, or is on its way. */
export type MaybePromise<T> = T | Promise<T>

/** Continues at once with what is there already: a promise costs a turn of the event loop, which most requests and readings need not pay. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
