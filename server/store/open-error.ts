export type OpenReason =
  'newer' | 'damaged' | 'not galley' | 'in use' | 'no room' | 'no permission' | 'port' | 'failed'

/** Why a data folder can't be opened, in words that tell a person what to do. */
export class OpenError extends Error {
  readonly reason: OpenReason
  constructor(reason: OpenReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OpenError'
    this.reason = reason
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** Turns what SQLite or the file system threw while opening `file` into an `OpenError`. */
export function explainOpening(error: unknown, file: string): OpenError {
  if (error instanceof OpenError) return error
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB') {
    return new OpenError(
      'damaged',
      `${file} is not a readable database. Restore a backup with “galley restore FILE”; the file itself was left as it is.`,
      error,
    )
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new OpenError(
      'damaged',
      `${file} is damaged. “galley check” tells more; restore a backup with “galley restore FILE”.`,
      error,
    )
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new OpenError(
      'no room',
      `There is no room left on the disk that holds ${file}. Free some and try again.`,
      error,
    )
  }
  if (
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ||
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'EROFS'
  ) {
    return new OpenError(
      'no permission',
      `${file} can’t be opened for writing. Check its permissions and its folder’s.`,
      error,
    )
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new OpenError('in use', `${file} is locked by another program. Close it and try again.`, error)
  }
  return new OpenError('failed', `${file} can’t be opened: ${(error as Error).message}`, error)
}
