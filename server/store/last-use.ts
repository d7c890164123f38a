/**
 * Notes when a credential was last used. A note that can't be written (a full disk, a database that another program
 * holds) must keep nobody from reading.
 */
export function noteUse(write: () => unknown) {
  try {
    write()
  } catch (error) {
    if ((error as Error).name !== 'SqliteError') throw error
  }
}
