const first = 1_000
const longest = 60_000

/**
 * How long to wait before the next attempt, in milliseconds, after `attempts` that failed: twice as long each time, up
 * to a minute, and half of it by chance, so that many machines whose provider was away don't all come back at once
 * ("equal jitter", M. Brooker, “Exponential Backoff and Jitter”, 2015).
 */
export function backoff(attempts: number, random: () => number): number {
  const most = Math.min(longest, first * 2 ** Math.min(attempts, 16))
  return Math.round(most / 2 + (random() * most) / 2)
}
