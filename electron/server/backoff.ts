const shortest = 500
const longest = 30_000

/** How long to wait, in milliseconds, before starting something again that has failed `times` times in a row before. */
export const restartDelay = (times: number): number => Math.min(longest, shortest * 2 ** Math.min(times, 16))
