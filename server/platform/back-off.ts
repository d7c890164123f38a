export interface BackOff {
  /** Milliseconds before the first attempt after one that failed. */
  first: number
  longest: number
  /**
   * From 0 to 1. Given, half of the wait is by chance, so that many machines whose provider was away don't all come
   * back at once ("equal jitter", M. Brooker, “Exponential Backoff and Jitter”, 2015).
   */
  random?: () => number
}

/** How long to wait before the next attempt, in milliseconds: twice as long each time that one more has failed. */
export function backOff(earlierFailures: number, { first, longest, random }: BackOff): number {
  // A doubling that goes on for ever would not stay a number.
  const wait = Math.min(longest, first * 2 ** Math.min(earlierFailures, 32))
  return random ? Math.round(wait / 2 + (random() * wait) / 2) : wait
}
