const codeOf = (error: unknown) => {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return name === 'SqliteError' ? String(code) : ''
}

/** Another process holds the database: nothing was changed, and it may work in a moment. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

/**
 * There is no room for it: nothing was changed. SQLite has two codes for it, by which of its files can't grow; for other
 * files the system has its own.
 */
export const isFull = (error: unknown) =>
  /^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(codeOf(error)) ||
  ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code))

/** What was written to the file is something else now; a disk that fails to read it may read it the next time. */
export const isCorrupt = (error: unknown) => /^SQLITE_CORRUPT/.test(codeOf(error))

/** The file isn't what was written to it, or can't be read: nothing more should be built on it. */
export const isDamage = (error: unknown) =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS))/.test(codeOf(error))
