const minute = 60_000

/**
 * Notes when a credential was last used, to the minute unless said otherwise, so that reading doesn't mean writing. A
 * note that can't be written (a full disk, a database that another program holds) must keep nobody from reading.
 */
export function noteUse(before: number | null, at: number, write: () => unknown, every = minute) {
  if (before !== null && at - before < every) return
  try {
    write()
  } catch (error) {
    if ((error as Error).name !== 'SqliteError') throw error
  }
}
