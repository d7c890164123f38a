import { codePointLength } from '../domain/code-points.ts'
import { UsageError } from './command.ts'

/**
 * A name as it is kept: trimmed, 1 to `most` characters.
 * @throws UsageError
 */
export function nameFrom(value: unknown, what: string, most: number): string {
  const name = String(value).trim()
  // eslint-disable-next-line no-control-regex -- a name stands on one line
  if (name === '' || codePointLength(name) > most || /[\u0000-\u001f\u007f]/.test(name)) {
    throw new UsageError(`${what} takes 1 to ${most} characters on one line.`)
  }
  return name
}
