/** What comes of a work that can be stopped on the way, done without a stop. */
export function inOneGo<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
