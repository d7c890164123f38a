import { constants, getPriority, setPriority } from 'node:os'

/**
 * Has this process work only where others leave room for it: for what takes long, and for which nobody's answer waits.
 * There is no way back, and whoever holds a lock that others wait for must not wait for them.
 */
export function giveWay(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  try {
    if (getPriority() < low) setPriority(low)
  } catch {
    // Where it isn't allowed, it goes on as it is.
  }
}
