import { rm } from 'node:fs/promises'

/**
 * Removes a file or a folder of ours, if it can be. On Windows what a program or a virus scanner still holds can’t for a
 * moment; so it is tried a few times, and then left.
 */
export const tidy = (where: string): Promise<void> =>
  rm(where, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
